/** Entry point of `docferry/api`: the service's whole API as typed calls. */
export type { Annotation, ImportedAuthor, ImportedDocument, Metric } from '../model/document.js';
export {
  AccessError,
  AuthenticationError,
  DocferryError,
  NotFoundError,
  OptionError,
  type Refused,
  ServiceDownError,
  ServiceError,
} from '../model/errors.js';
export type {
  AuthorRanking,
  DocRanking,
  Language,
  MonitoringStatus,
  SearchSource,
  Sentiment,
  SourceCode,
} from '../service/codes.js';
export type * from '../service/resources.js';
export type {
  CallOptions,
  Client,
  ClientOptions,
  FeedOptions,
  MonitoringCalls,
  PageOptions,
} from './client.js';
export { createClient, createLegacyClient, type LegacyClient } from './create-client.js';
export { cursorAt } from './feed.js';
export type * from './queries.js';
export type { Connection } from './transport/connection.js';
