/** Code that `scripts/compile-schemas.mjs` writes. */
declare module '*/dist/validation/api.cjs' {
  const compiled: unknown;
  export default compiled;
}
