import type { Counted } from '../../coverage/value-counts.js';
import type { Counts } from '../../model/record.js';

declare module '../../coverage/coverage.js' {
  interface Coverage {
    readonly overTime?: readonly {
      readonly from: string;
      readonly unit: 'day' | 'week' | 'month' | 'year';
      readonly documents: number;
      readonly meanScore: number | null;
    }[];
  }
  interface ColumnCoverage {
    readonly sampled?: number;
    readonly top?: readonly Counted[];
  }
}
declare module '../../outcomes/events.js' {
  interface InputReport {
    readonly modified?: string | null;
  }
}
declare module '../report.js' {
  interface Report {
    readonly version?: number;
    readonly docferry?: string;
    readonly started?: string;
    readonly ended?: string;
    readonly timeZone?: string;
    readonly mappingFingerprint?: string | null;
    readonly skips?: readonly {
      readonly condition: string;
      readonly records: number;
      readonly mappingLine: number | null;
    }[];
    readonly earlier?: {
      readonly run: string;
      readonly started: string;
      readonly counts: Counts;
    } | null;
  }
}
