/** What else could fill a field: the same rules, made from what came next when columns were chosen. */
import { flow } from '../../mapping/rules.js';
import type { Candidate, Role } from '../propose/candidate.js';
import type { Chosen, DraftField } from './draft.js';

/** Another rule for a field, and its column; none of a rule that needs no column of its own. */
export type RivalField = DraftField & { readonly column: string | null };

/** Makes fields from the columns that were chosen. */
export type MakeFields = (from: Chosen) => readonly DraftField[];

/** Most columns that are tried for a field. */
const MAX_RIVALS = 5;

/** The role whose column fills a field, where it is one. */
const ROLES: Readonly<Record<string, Role>> = {
  sourceId: 'sourceId',
  parentSourceId: 'parentSourceId',
  text: 'text',
  language: 'language',
  sentiment: 'sentiment',
  published: 'published',
  downloaded: 'downloaded',
  url: 'url',
  'detectedLocations.country': 'country',
  'detectedLocations.state': 'region',
  'detectedLocations.city': 'city',
  'metrics.score': 'score',
  'metrics.likes': 'likes',
  'metrics.comments': 'comments',
  'metrics.shares': 'shares',
  'author.sourceId': 'authorId',
  'author.username': 'username',
};

/** Fields that can do without a column of their own, and how. */
const COLUMNLESS: Readonly<Partial<Record<Role, string>>> = {
  sourceId: 'a hash of what tells reviews apart, the same in every export',
  language: 'detected in the text of each review',
  sentiment: 'it follows from the rating',
};

/** The rivals of a field, best first; a rule without a column of its own comes last. */
export function rivalsOf(field: DraftField, from: Chosen, make: MakeFields): readonly RivalField[] {
  const place = field.path.join('.');
  const role = ROLES[place];
  if (role === undefined) return [];
  const { roles, candidates } = from.assignment;
  const [winner] = roles.get(role) ?? [];
  const others = candidates
    .filter((one) => one.role === role && one.profile !== winner?.profile)
    .slice(0, MAX_RIVALS);
  const withoutColumn = winner === undefined ? undefined : COLUMNLESS[role];
  const ways = [...others, ...(withoutColumn === undefined ? [] : [undefined])];
  const known = new Set([flow(field.rule)]);
  return ways.flatMap((way) => {
    const made = make(withRole(from, role, way)).find(({ path }) => path.join('.') === place);
    if (made === undefined || known.has(flow(made.rule))) return [];
    known.add(flow(made.rule));
    return [
      way === undefined
        ? { ...made, column: null, evidence: withoutColumn ?? made.evidence }
        : { ...made, column: way.profile.name },
    ];
  });
}

/** The same choice with another column, or none, in a role. */
function withRole(from: Chosen, role: Role, way: Candidate | undefined): Chosen {
  const { roles, candidates } = from.assignment;
  const others = [...roles].map(
    ([one, chosen]) => [one, chosen.filter(({ profile }) => profile !== way?.profile)] as const,
  );
  const changed = new Map([...others, [role, way === undefined ? [] : [way]]]);
  return { ...from, assignment: { candidates, roles: changed } };
}
