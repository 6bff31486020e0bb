import type { Rule } from '../../mapping/mapping.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Role } from '../propose/candidate.js';
import {
  allChosen,
  type Chosen,
  called,
  columnField,
  columnRule,
  type DraftField,
  example,
} from './draft.js';

/** Address, places, counts, tags, author. */
export function otherFields(from: Chosen): readonly DraftField[] {
  return [
    ...urlField(from),
    ...locationFields(from),
    ...countFields(from),
    ...tagFields(from),
    ...authorFields(from),
  ];
}

function urlField(from: Chosen): readonly DraftField[] {
  return allChosen(from, 'url').map((best) => {
    const { profile } = best;
    const evidence =
      profile.distinctShare < 0.9
        ? `${called(profile)} is the page that the reviews stand on, not each review's own`
        : `${called(profile)} holds web addresses`;
    const rule = { from: profile.name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' };
    return { ...columnField(['url'], best, evidence), rule };
  });
}

const LEVELS: readonly (readonly [Role, string])[] = [
  ['country', 'country'],
  ['region', 'state'],
  ['city', 'city'],
];

function locationFields(from: Chosen): readonly DraftField[] {
  return LEVELS.flatMap(([role, level]) =>
    allChosen(from, role).map((best) => {
      const { profile } = best;
      const evidence = `${called(profile)}, such as ${example(profile.filled[0] ?? '')}`;
      const field = columnField(['detectedLocations', level], best, evidence);
      return level === 'country' ? { ...field, rule: countryRule(profile) } : field;
    }),
  );
}

/** Codes become names, as people know them. */
function countryRule(profile: ColumnProfile): Rule {
  const codes = [...new Set(profile.filled)].filter((text) => /^[A-Za-z]{2}$/u.test(text));
  if (codes.length < profile.distinct * 0.8 || codes.length === 0) return columnRule(profile);
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const values: Record<string, string> = {};
  for (const code of codes.toSorted().slice(0, 80)) {
    const name = names.of(code.toUpperCase());
    if (name !== undefined) values[code] = name;
  }
  return { from: profile.name, values, else: columnRule(profile) };
}

function countFields(from: Chosen): readonly DraftField[] {
  return (['likes', 'comments', 'shares'] as const).flatMap((role) =>
    allChosen(from, role).map((best) => ({
      ...columnField(['metrics', role], best, `${called(best.profile)} holds counts`),
      rule: { from: best.profile.name, match: '\\d+', number: '.' },
    })),
  );
}

function tagFields(from: Chosen): readonly DraftField[] {
  const places = [...allChosen(from, 'place'), ...allChosen(from, 'placeId')].slice(0, 1);
  const columns = [...places, ...allChosen(from, 'tags')];
  return columns.map((best, index) => ({
    ...columnField(
      ['tags', String(index)],
      best,
      `${called(best.profile)}, such as ${example(best.profile.filled[0] ?? '')}`,
    ),
    rule: tagRule(best.profile),
  }));
}

function tagRule(profile: ColumnProfile): Rule {
  if (profile.column.list) return { from: profile.name };
  const split = [';', '|', ','].find(
    (mark) =>
      profile.filled.filter((text) => text.includes(mark)).length > profile.filled.length * 0.2,
  );
  const listed = profile.concepts.has('tag') && split !== undefined;
  return listed ? { from: profile.name, split } : columnRule(profile);
}

function authorFields(from: Chosen): readonly DraftField[] {
  return [
    ...allChosen(from, 'authorId').map((id) =>
      columnField(['author', 'sourceId'], id, `${called(id.profile)} identifies the author`),
    ),
    ...allChosen(from, 'username').map((best) =>
      columnField(
        ['author', 'username'],
        best,
        `${called(best.profile)} holds names`,
        `check that ${called(best.profile)} is who wrote the review`,
      ),
    ),
    ...allChosen(from, 'lives').map((best) =>
      columnField(
        ['author', 'annotations', best.profile.name],
        best,
        `${called(best.profile)}, as it stands`,
      ),
    ),
    ...allChosen(from, 'experienced').map((best) =>
      columnField(
        ['author', 'annotations', best.profile.name],
        best,
        `${called(best.profile)} is what the review is about, not when it was written`,
      ),
    ),
  ];
}
