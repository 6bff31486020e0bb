import type { Place } from './places.js';

/** What a monitoring listens for. All of them are made up. */
export interface Subject {
  readonly kind: 'hotel' | 'city';
  readonly name: string;
  /** What it is called in addresses and user names. */
  readonly slug: string;
  readonly hashtag: string;
  /** What people name when they write about it, each with its place. */
  readonly spots: readonly { readonly name: string; readonly place: Place }[];
}

/** A hotel group with three houses. */
export const HOTEL_GROUP: Subject = {
  kind: 'hotel',
  name: 'Brisalta Hotels',
  slug: 'brisalta',
  hashtag: '#Brisalta',
  spots: [
    { name: 'Brisalta Puerto', place: spain(['Andalucía', 'Málaga', 'Málaga'], 36.7172, -4.4163) },
    {
      name: 'Brisalta Jardines',
      place: spain(['Comunitat Valenciana', 'València', 'València'], 39.4745, -0.3662),
    },
    {
      name: 'Brisalta Norte',
      place: spain(['Cantabria', 'Cantabria', 'Santander'], 43.4722, -3.7839),
    },
  ],
};

/** A town by the sea that presents itself to visitors. */
export const CITY: Subject = {
  kind: 'city',
  name: 'Talmora',
  slug: 'talmora',
  hashtag: '#Talmora',
  spots: [
    { name: 'Talmora', place: spain(['Región de Murcia', 'Murcia', 'Talmora'], 37.5581, -1.2611) },
  ],
};

/** A small hotel whose monitoring was paused. */
export const PAUSED_HOTEL: Subject = {
  kind: 'hotel',
  name: 'Casa Ostrella',
  slug: 'casaostrella',
  hashtag: '#CasaOstrella',
  spots: [
    { name: 'Casa Ostrella', place: spain(['Galicia', 'Pontevedra', 'Vigo'], 42.2388, -8.7226) },
  ],
};

function spain(names: readonly [string, string, string], lat: number, lon: number): Place {
  const [countryRegion, state, city] = names;
  return { location: { country: 'España', countryRegion, state, city }, lat, lon };
}
