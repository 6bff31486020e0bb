export type SqlParameter = string | number | boolean | null | Uint8Array | readonly unknown[];

/** Statements that are carried out as a whole, or not at all. */
export interface Transaction {
  rows<Row extends object>(sql: string, values?: readonly SqlParameter[]): Promise<readonly Row[]>;
}
