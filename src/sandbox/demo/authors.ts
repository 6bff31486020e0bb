import type { Language } from '../../service/codes.js';
import type { CapturedAuthor } from '../captured.js';
import type { Network } from './networks.js';
import { HOME_TOWNS } from './places.js';
import { createRandom, type Random } from './random.js';
import type { Subject } from './subjects.js';
import { VOICES } from './texts/voices.js';

/** Everybody who writes. The same people write for all monitorings. */
export interface People {
  /** Somebody who writes in this language; a few write much more than the others. */
  writer(network: Network, language: Language): CapturedAuthor;
  /** The subject's own account. */
  official(network: Network, subject: Subject): CapturedAuthor;
}

/** Makes people as they are asked for. */
export function createPeople(seed: number): People {
  const random = createRandom(seed);
  const circles = new Map<string, CapturedAuthor[]>();
  return {
    writer: (network, language) => {
      const key = `${network.source} ${language}`;
      const circle = circles.get(key) ?? makeCircle(random, network, language);
      circles.set(key, circle);
      return circle[random.skewed(circle.length - 1)] as CapturedAuthor;
    },
    official: officialAccount,
  };
}

/** The people of one language on one network, or its newspapers. */
function makeCircle(random: Random, network: Network, language: Language): CapturedAuthor[] {
  if (network.source === 'NTC') return NEWSPAPERS[language].map((name) => newspaper(network, name));
  const size = language === 'en' || language === 'es' ? 9 : 4;
  return Array.from({ length: size }, (_, index) => makePerson(random, network, language, index));
}

function makePerson(
  random: Random,
  network: Network,
  language: Language,
  index: number,
): CapturedAuthor {
  const first = random.deal(FIRST_NAMES[language]);
  const username = `${plain(first)}.${random.pick(HANDLES)}${random.between(1, 99)}`;
  return {
    sourceId: `${network.source.toLowerCase()}-${language}-${1001 + index}`,
    username,
    name: `${first} ${random.pick([...'ABCDFGHJKLMNPRSTV'])}.`,
    authorUrl: `https://${network.site}/${username}`,
    imageUrl: `https://${network.site}/pictures/${username}.jpg`,
    isVerified: network.followed && random.chance(0.12),
    ...(random.chance(0.3) && { personalUrl: `https://${username}.example.com/` }),
    about: random.chance(0.7) ? random.pick(VOICES[language].abouts) : '',
    ...homeOf(random, language),
    metrics: reach(random, network),
    ...(random.chance(0.2) && { tags: [random.pick(['influencer', 'regular', 'press'])] }),
  };
}

/** Some declare where they live, some only think they do, and most say nothing. */
function homeOf(
  random: Random,
  language: Language,
): Pick<CapturedAuthor, 'declaredLocation' | 'authorLocations'> {
  const kind = random.weighted({ town: 50, nowhere: 15, none: 35 });
  if (kind === 'none') return { declaredLocation: null, authorLocations: [] };
  if (kind === 'nowhere') {
    return { declaredLocation: random.pick(NOWHERE), authorLocations: [] };
  }
  const location = random.pick(HOME_TOWNS[language]);
  const declared = random.chance(0.5) ? `${location.city}, ${location.country}` : location.city;
  return { declaredLocation: declared, authorLocations: [location] };
}

function reach(random: Random, network: Network): NonNullable<CapturedAuthor['metrics']> {
  const publications = { name: 'publications', value: 1 + random.skewed(2000) };
  if (!network.followed) return [publications];
  return [
    { name: 'followers', value: 5 + random.skewed(40_000) },
    { name: 'following', value: random.between(10, 900) },
    publications,
  ];
}

function newspaper(network: Network, name: string): CapturedAuthor {
  const username = plain(name).replaceAll(' ', '-');
  return {
    sourceId: username,
    username,
    name,
    authorUrl: `https://${network.site}/${username}`,
    imageUrl: `https://${network.site}/${username}/logo.png`,
    isVerified: false,
    personalUrl: `https://${username}.example.com/`,
    declaredLocation: null,
    authorLocations: [],
    metrics: [{ name: 'publications', value: 1000 + name.length * 137 }],
    tags: ['press'],
  };
}

function officialAccount(network: Network, subject: Subject): CapturedAuthor {
  const { location } = (subject.spots[0] as Subject['spots'][number]).place;
  const reached = 3000 + subject.slug.length * 911 + network.likes;
  return {
    sourceId: `${network.source.toLowerCase()}-${subject.slug}`,
    username: subject.slug,
    name: subject.name,
    authorUrl: `https://${network.site}/${subject.slug}`,
    imageUrl: `https://${network.site}/pictures/${subject.slug}.jpg`,
    isVerified: network.followed,
    personalUrl: `https://${subject.slug}.example.com/`,
    about: `${subject.name}, ${location.city}.`,
    declaredLocation: location.city,
    authorLocations: [location],
    metrics: [
      ...(network.followed
        ? [
            { name: 'followers', value: reached },
            { name: 'following', value: 120 },
          ]
        : []),
      { name: 'publications', value: 480 },
    ],
    tags: ['own'],
  };
}

/** In small letters without accents, as user names are. */
function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const HANDLES = ['travels', 'walks', 'ontheroad', 'snaps', 'bythesea', 'weekends', 'notes'];

const NOWHERE = ['between two trains', 'wherever the sea is', '🌍', 'on the road'];

const FIRST_NAMES: Readonly<Record<Language, readonly string[]>> = {
  cs: ['Jana', 'Petr', 'Lucie', 'Tomáš'],
  de: ['Katrin', 'Jonas', 'Heike', 'Lukas'],
  en: ['Emma', 'Oliver', 'Grace', 'Liam', 'Nora', 'Jack', 'Ruby', 'Owen', 'Alice'],
  es: ['Marta', 'Álvaro', 'Lucía', 'Sergio', 'Inés', 'Pablo', 'Rocío', 'Hugo', 'Elena'],
  fr: ['Camille', 'Julien', 'Élodie', 'Hugo'],
  nl: ['Sanne', 'Daan', 'Femke', 'Bram'],
  pt: ['Inês', 'Tiago', 'Beatriz', 'Rui'],
};

const NEWSPAPERS: Readonly<Record<Language, readonly string[]>> = {
  cs: ['Talmorské listy'],
  de: ['Talmora Anzeiger'],
  en: ['Talmora Courier', 'The Quayside Post'],
  es: ['Gaceta de Talmora', 'Hoja de la Ribera'],
  fr: ['Feuille de Talmora'],
  nl: ['Talmora Dagblad'],
  pt: ['Folha de Talmora'],
};
