import { describe, expect } from 'vitest';
import { assignRoles, tableOf } from '../../src/guess/assign-roles.js';
import { profileColumn } from '../../src/guess/profile-column.js';
import type { Role } from '../../src/guess/propose/roles.js';
import { eachSample } from '../helpers/runs.js';
import { HEADERS } from './headers.js';

const WORDS =
  'the staff was friendly room clean breakfast cold nobody cared delivery late box damaged view over harbour worth trip battery lasts long never problem expensive nearby quiet bed'.split(
    ' ',
  );

/** Numbers that look drawn and are always the same. */
function drawn(n: number, most: number): number {
  return ((n * 7919 + 104_729) >>> 3) % most;
}

function words(n: number, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => WORDS[drawn(n * 31 + at * 17, WORDS.length)],
  ).join(' ');
}

const date = (n: number): Date =>
  new Date(Date.UTC(2020, 4, 17) + (n % 150) * 11 * 86_400_000 + n * 61_000);
const iso = (n: number): string => date(n).toISOString();
const named = (n: number, options: Intl.DateTimeFormatOptions, locale = 'en-US'): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date(n));
const pick = (n: number, ...values: string[]): string => values[drawn(n, values.length)] ?? '';
const hex = (n: number, length: number): string =>
  (BigInt(n + 3) * 0x9e3779b97f4a7c15f39cc0605cedc835n)
    .toString(16)
    .padStart(length, 'a')
    .slice(-length);

const VALUES: Readonly<Record<string, (n: number) => string>> = {
  text: (n) => words(n, 12 + drawn(n, 20)),
  short: (n) => words(n, 3),
  title: (n) => words(n + 500, 3 + (n % 3)),
  person: (n) =>
    `${pick(n, 'Ana', 'Jonas', 'Marie', 'Petr', 'Lucía', 'Tom')} ${pick(n * 7 + 1, 'Novak', 'Baker', 'Silva', 'Klein', 'Moreau', 'Jansen', 'Weber')}`,
  uuid: (n) => hex(n, 24),
  userId: (n) => `A${hex(drawn(n, 150), 12).toUpperCase()}`,
  productId: (n) => `B00${hex(n % 9, 7).toUpperCase()}`,
  rows: (n) => String(n),
  serial: (n) => String(70_000_000 + n * 137 + drawn(n, 90)),
  five: (n) => String(1 + drawn(n, 5)),
  halves: (n) => `${1 + drawn(n, 5)}.0`,
  ten: (n) => `${(2 + drawn(n, 80) / 10).toFixed(1)}`,
  average: (n) => ['4.1', '4.4', '3.9'][n % 3] ?? '',
  hundred: (n) => String(drawn(n, 101)),
  votes: (n) => String(drawn(n, 4) === 0 ? drawn(n, 30) : 0),
  big: (n) => String(20 + drawn(n, 3000)),
  bool: (n) => (drawn(n, 3) ? 'true' : 'false'),
  plusMinus: (n) => String(drawn(n, 2)),
  iso: (n) => iso(n).slice(0, 10),
  isoTime: (n) => iso(n).slice(0, 19).replace('T', ' '),
  us: (n) => named(n, { month: 'numeric', day: 'numeric', year: 'numeric' }),
  dmy: (n) => named(n, { day: '2-digit', month: '2-digit', year: 'numeric' }, 'de'),
  long: (n) => named(n, { month: 'short', day: 'numeric', year: 'numeric' }),
  month: (n) => named(n, { month: 'long', year: 'numeric' }),
  ago: (n) => `${2 + drawn(n, 9)} months ago`,
  seconds: (n) => String(Math.floor(date(n).getTime() / 1000)),
  millis: (n) => String(date(n).getTime()),
  place: (n) => ['Grand Hotel Alpha', 'Casa Beta', 'Gamma Inn'][n % 3] ?? '',
  city: (n) => ['Vigo', 'Gent', 'Brno', 'Graz'][n % 4] ?? '',
  country: (n) => ['ES', 'BE', 'CZ', 'AT'][n % 4] ?? '',
  nation: (n) => ['Spain', 'Belgium', 'Czechia', 'Austria', 'United Kingdom'][n % 5] ?? '',
  language: (n) => ['en', 'es', 'de'][n % 3] ?? '',
  url: (n) => `https://reviews.example.org/r/${hex(n, 10)}`,
  pageUrl: (n) => `https://reviews.example.org/place/${n % 3}`,
  image: (n) => `https://img.example.org/a/${n}.jpg`,
  version: (n) => `${1 + (n % 3)}.${n % 7}.${n % 5}`,
  topic: (n) => ['Family', 'Couple', 'Business', 'Solo'][n % 4] ?? '',
  reply: (n) => (n % 4 ? '' : `dear guest thank you ${words(n, 14)}`),
  replyDate: (n) => (n % 4 ? '' : iso(n + 1)),
  scraped: () => '2025-05-05T10:00:00.000Z',
  gender: (n) => (n % 2 ? 'F' : 'M'),
  age: (n) => String(1950 + drawn(n, 55)),
  blank: () => '',
  positive: (n) => (n % 2 ? 'positive' : 'negative'),
  constant: () => '5',
  coordinate: (n) => (41 + drawn(n, 1000) / 7919).toFixed(6),
};

const RECORDS = 200;

describe('from the header and the values of', () => {
  eachSample(10)(HEADERS)(
    '$name, each column gets the role that is its',
    ({ columns, roles, none = [] }) => {
      const numbers = Array.from({ length: RECORDS }, (_, n) => n + 1);
      const profiles = columns.map((column, position) => {
        const at = column.lastIndexOf(':');
        const make = VALUES[column.slice(at + 1)];
        const texts = numbers.map((n) => make?.(n + position * 1000 * 3) || undefined);
        const spaced = column.endsWith(':rows') ? numbers.map(String) : texts;
        const name = column.slice(0, at);
        return profileColumn(
          { name, position, texts: spaced, list: false, unnamed: name === '' },
          numbers,
        );
      });
      const assigned = assignRoles(tableOf(profiles, RECORDS)).roles;
      const found = Object.fromEntries(
        [...assigned].map(([role, candidates]) => [role, candidates[0]?.profile.name]),
      ) as Partial<Record<Role, string>>;
      expect(found).toMatchObject(roles);
      for (const role of none) expect(found).not.toHaveProperty(role);
    },
  );
});
