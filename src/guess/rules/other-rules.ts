import type { Rule } from '../../mapping/mapping.js';
import type { ColumnProfile } from '../profile-column.js';
import type { Candidate, Role } from '../propose/candidate.js';
import {
  allChosen,
  type Chosen,
  called,
  chosen,
  columnRule,
  confidenceOf,
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

function simple(
  path: readonly string[],
  { profile, score }: Candidate,
  evidence: string,
): DraftField {
  const confidence = confidenceOf(score);
  const todo = `check that ${called(profile)} belongs here: neither its name nor its values prove it`;
  return {
    path,
    rule: columnRule(profile),
    confidence,
    evidence,
    ...(confidence === 'low' ? { todo } : {}),
  };
}

function urlField(from: Chosen): readonly DraftField[] {
  const best = chosen(from, 'url');
  if (best === undefined) return [];
  const { profile } = best;
  const shared =
    profile.distinctShare < 0.9
      ? `${called(profile)} is the page that the reviews stand on, not each review's own`
      : `${called(profile)} holds web addresses`;
  return [
    {
      ...simple(['url'], best, shared),
      rule: { from: profile.name, match: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' },
    },
  ];
}

const LEVELS: readonly (readonly [Role, string])[] = [
  ['country', 'country'],
  ['region', 'state'],
  ['city', 'city'],
];

function locationFields(from: Chosen): readonly DraftField[] {
  return LEVELS.flatMap(([role, level]) => {
    const best = chosen(from, role);
    if (best === undefined) return [];
    const rule = level === 'country' ? countryRule(best.profile) : columnRule(best.profile);
    const [first = ''] = best.profile.filled;
    return [
      {
        ...simple(
          ['detectedLocations', level],
          best,
          `${called(best.profile)}, such as ${example(first)}`,
        ),
        rule,
      },
    ];
  });
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
  return (['likes', 'comments', 'shares'] as const).flatMap((role) => {
    const best = chosen(from, role);
    if (best === undefined) return [];
    const rule = { from: best.profile.name, match: '\\d+', number: '.' as const };
    return [{ ...simple(['metrics', role], best, `${called(best.profile)} holds counts`), rule }];
  });
}

function tagFields(from: Chosen): readonly DraftField[] {
  const places = [...allChosen(from, 'place'), ...allChosen(from, 'placeId')].slice(0, 1);
  const columns = [...places, ...allChosen(from, 'tags')];
  return columns.map((best, index) => ({
    ...simple(
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
  const name = chosen(from, 'username');
  const id = chosen(from, 'authorId');
  const lives = chosen(from, 'lives');
  return [
    ...(id === undefined
      ? []
      : [simple(['author', 'sourceId'], id, `${called(id.profile)} identifies the author`)]),
    ...(name === undefined ? [] : [usernameField(name)]),
    ...(lives === undefined
      ? []
      : [
          simple(
            ['author', 'annotations', lives.profile.name],
            lives,
            `${called(lives.profile)}, as it stands`,
          ),
        ]),
    ...allChosen(from, 'experienced').map((best) =>
      simple(
        ['author', 'annotations', best.profile.name],
        best,
        `${called(best.profile)} is what the review is about, not when it was written`,
      ),
    ),
  ];
}

function usernameField(best: Candidate): DraftField {
  const field = simple(['author', 'username'], best, `${called(best.profile)} holds names`);
  if (field.confidence !== 'low') return field;
  return { ...field, todo: `check that ${called(best.profile)} is who wrote the review` };
}
