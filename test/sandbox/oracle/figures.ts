import { interactionsOf, metricOf, type Person, type Post } from './memory.js';
import { type Asked, minuteOf, select } from './select.js';

/** What documents and authors can be ranked by. */
export type RankingName =
  | 'interactions'
  | 'likes'
  | 'comments'
  | 'shares'
  | 'impressions'
  | 'followers';

/** Of equal rank: the one published last first, then the one that came last. */
export function rankPosts(posts: readonly Post[], ranking: RankingName | undefined): Post[] {
  const rank = (post: Post): number => (ranking ? rankOf(post, ranking) : 0);
  return posts.toSorted(
    (a, b) => rank(b) - rank(a) || b.published - a.published || b.position - a.position,
  );
}

/** Of equal rank: the one that was known first. `known` holds all authors in that order. */
export function rankPeople(
  posts: readonly Post[],
  ranking: RankingName | undefined,
  known: readonly Person[],
): Person[] {
  const ranks = new Map<Person, number>();
  for (const post of posts) {
    const before = ranks.get(post.author) ?? 0;
    const more = ranking ? rankOf(post, ranking) : 1;
    ranks.set(post.author, ranking === 'followers' ? more : before + more);
  }
  const rank = (person: Person): number => ranks.get(person) ?? 0;
  return known.filter((person) => ranks.has(person)).toSorted((a, b) => rank(b) - rank(a));
}

function rankOf(post: Post, ranking: RankingName): number {
  if (ranking === 'interactions') return interactionsOf(post);
  if (ranking === 'followers') return metricOf(post.author.profile, 'followers');
  return metricOf(post.document, ranking);
}

/** Day by day, those without documents left out. */
export function chartOf(posts: readonly Post[]): { date: string; documents: number }[] {
  const days = posts.map(({ published }) => new Date(published).toISOString().slice(0, 10));
  return [...new Set(days)].toSorted().map((date) => ({
    date,
    documents: days.filter((day) => day === date).length,
  }));
}

const WITH_SHARES = ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'];
const WITH_IMPRESSIONS = ['TWT', 'ITG', 'ITB'];

/** An indicator: its name, its value, and the value of as many minutes before. */
export interface Figure {
  readonly name: string;
  readonly currentValue: number;
  readonly previousValue: number;
}

/** The indicators of 5.0: those of shares and impressions for networks that have them. */
export function indicatorsOf(posts: readonly Post[], asked: Asked): Figure[] {
  const now = select(posts, asked);
  const before = select(posts, { ...asked, ...minutesBefore(asked) });
  const figure = (name: string, value: (chosen: readonly Post[]) => number): Figure => ({
    name,
    currentValue: value(now),
    previousValue: value(before),
  });
  const pair = (
    sumName: string,
    averageName: string,
    amountOf: (post: Post) => number,
  ): Figure[] => {
    const sum = (chosen: readonly Post[]): number =>
      chosen.reduce((total, post) => total + amountOf(post), 0);
    return [
      figure(sumName, sum),
      figure(averageName, (chosen) => (chosen.length === 0 ? 0 : sum(chosen) / chosen.length)),
    ];
  };
  const { viewSource = '' } = asked;
  const shares = pair('replication', 'avgReplicationPerPost', ({ document }) =>
    metricOf(document, 'shares'),
  );
  const impressions = pair('postImpressions', 'avgImpressionsPerPost', ({ document }) =>
    metricOf(document, 'impressions'),
  );
  return [
    figure('posts', (chosen) => chosen.length),
    ...(WITH_SHARES.includes(viewSource) ? shares : []),
    ...pair('overallEngagement', 'wgtAvgEngagementPerPost', interactionsOf),
    ...(WITH_IMPRESSIONS.includes(viewSource) ? impressions : []),
  ];
}

const MINUTE_MS = 60_000;

/** As many whole minutes, both ends included, right before. */
function minutesBefore({ start, end }: Asked): Pick<Asked, 'start' | 'end'> {
  const [first, last] = [start, end].map((minute) => Date.parse(`${minute.replace(' ', 'T')}Z`));
  const minutes = (last! - first!) / MINUTE_MS + 1;
  return {
    start: minuteOf(first! - minutes * MINUTE_MS),
    end: minuteOf(first! - MINUTE_MS),
  };
}
