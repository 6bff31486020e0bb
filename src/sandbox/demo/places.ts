import type { Language } from '../../service/codes.js';
import type { Location } from '../../service/resources.js';

/** A place on the map. */
export interface Place {
  readonly location: Location;
  readonly lat: number;
  readonly lon: number;
}

/** Where the people of each language live. */
export const HOME_TOWNS: Readonly<Record<Language, readonly Location[]>> = {
  cs: [town('Česko', 'Morava', 'Jihomoravský kraj', 'Brno'), town('Česko', null, null, 'Plzeň')],
  de: [
    town('Deutschland', null, 'Nordrhein-Westfalen', 'Köln'),
    town('Deutschland', null, 'Sachsen', 'Leipzig'),
    town('Österreich', null, 'Steiermark', 'Graz'),
  ],
  en: [
    town('United Kingdom', 'England', 'West Yorkshire', 'Leeds'),
    town('Ireland', 'Munster', 'County Cork', 'Cork'),
    town('United Kingdom', 'Scotland', null, 'Dundee'),
  ],
  es: [
    town('España', 'Comunidad de Madrid', 'Madrid', 'Madrid'),
    town('España', 'Andalucía', 'Sevilla', 'Sevilla'),
    town('España', 'Aragón', 'Zaragoza', 'Zaragoza'),
    town('México', null, 'Jalisco', 'Guadalajara'),
  ],
  fr: [
    town('France', 'Auvergne-Rhône-Alpes', 'Rhône', 'Lyon'),
    town('Belgique', 'Wallonie', 'Liège', 'Liège'),
  ],
  nl: [
    town('Nederland', null, 'Utrecht', 'Utrecht'),
    town('België', 'Vlaanderen', 'Oost-Vlaanderen', 'Gent'),
  ],
  pt: [town('Portugal', 'Norte', 'Porto', 'Porto'), town('Brasil', 'Sul', 'Paraná', 'Curitiba')],
};

/** The location, written as the service writes what it detects: "level: name", the widest first. */
export function detected(location: Location): string[] {
  const levels = [
    ['country', location.country],
    ['region of the country', location.countryRegion],
    ['state', location.state],
    ['city', location.city],
  ] as const;
  return levels.filter(([, name]) => name !== null).map(([level, name]) => `${level}: ${name}`);
}

function town(
  country: string,
  countryRegion: string | null,
  state: string | null,
  city: string,
): Location {
  return { country, countryRegion, state, city };
}
