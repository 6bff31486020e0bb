import type { SourceCode } from '../../service/codes.js';

/** What documents of a network look like. */
export interface Network {
  readonly source: SourceCode;
  /** Where its addresses lead. */
  readonly site: string;
  /** How likely it is that a publication is the official account's own. */
  readonly official: number;
  /** Least and most details that an impression has. */
  readonly details: readonly [number, number];
  /** Texts end in a hashtag and perhaps an emoji. */
  readonly hashtags: boolean;
  /** Most likes, shares and impressions; without a number the network has no such metric. */
  readonly likes: number;
  readonly shares?: number;
  readonly impressions?: number;
  /**
   * `captured`: comments are documents of their own, and the metric counts them; `told`: only the
   * metric; `untold`: replies are documents, but there is no metric.
   */
  readonly comments: 'captured' | 'told' | 'untold';
  /** Most direct replies to a publication. */
  readonly replies: number;
  /** How likely it is that a publication has a picture, and coordinates. */
  readonly picture: number;
  readonly pinned: number;
  /** Authors have followers. */
  readonly followed: boolean;
}

type NetworkCode = 'FCP' | 'GPC' | 'ITB' | 'ITG' | 'NTC' | 'TPD' | 'TWT' | 'YTB';

const UNTOLD = { official: 0, hashtags: false, comments: 'untold', followed: false } as const;

/** The networks that the demo captures from. */
export const NETWORKS: Readonly<Record<NetworkCode, Network>> = {
  FCP: {
    ...{ source: 'FCP', site: 'pages.example.com', official: 0.6, details: [1, 2] },
    ...{ likes: 900, shares: 120, comments: 'captured', replies: 4, hashtags: false },
    ...{ picture: 0.5, pinned: 0, followed: true },
  },
  GPC: {
    ...{ ...UNTOLD, source: 'GPC', site: 'maps.example.com', details: [1, 2] },
    ...{ likes: 25, replies: 1, picture: 0.3, pinned: 1 },
  },
  ITB: {
    ...{ source: 'ITB', site: 'photos.example.com', official: 0.9, details: [1, 1] },
    ...{ likes: 4000, impressions: 60_000, comments: 'captured', replies: 4, hashtags: true },
    ...{ picture: 1, pinned: 0.4, followed: true },
  },
  ITG: {
    ...{ source: 'ITG', site: 'photos.example.com', official: 0, details: [1, 1] },
    ...{ likes: 1500, impressions: 20_000, comments: 'told', replies: 0, hashtags: true },
    ...{ picture: 1, pinned: 0.5, followed: true },
  },
  NTC: {
    ...{ source: 'NTC', site: 'news.example.com', official: 0, details: [1, 1] },
    ...{ likes: 300, shares: 200, comments: 'told', replies: 0, hashtags: false },
    ...{ picture: 0.7, pinned: 0, followed: false },
  },
  TPD: {
    ...{ ...UNTOLD, source: 'TPD', site: 'trips.example.com', details: [2, 3] },
    ...{ likes: 15, replies: 1, picture: 0.2, pinned: 0 },
  },
  TWT: {
    ...{ source: 'TWT', site: 'short.example.com', official: 0.1, details: [1, 1] },
    ...{ likes: 600, shares: 250, impressions: 90_000, comments: 'untold', replies: 2 },
    ...{ hashtags: true, picture: 0.25, pinned: 0.1, followed: true },
  },
  YTB: {
    ...{ source: 'YTB', site: 'videos.example.com', official: 0.2, details: [1, 2] },
    ...{ likes: 2500, comments: 'captured', replies: 5, hashtags: false },
    ...{ picture: 1, pinned: 0, followed: true },
  },
};

/** The code of a network of the demo. */
export type DemoSource = keyof typeof NETWORKS;
