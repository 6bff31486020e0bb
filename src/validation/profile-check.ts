import type { ValidateFunction } from 'ajv/dist/2020.js';
import { onDemand } from '../model/on-demand.js';
import { OWN_FORMATS, type PROFILE_SCHEMAS } from './create-ajv.js';

type Checks = Readonly<Record<keyof typeof PROFILE_SCHEMAS, ValidateFunction>>;

/** Made by the build, `scripts/compile-schemas.mjs`: what ajv would make at every start. */
const compiled = onDemand<(formats: typeof OWN_FORMATS) => Checks>(
  '../../dist/validation/profile-schemas.cjs',
);

let checks: Checks | undefined;

/** The check that a profile's schema was compiled into. */
export function profileCheck(profile: keyof Checks): ValidateFunction {
  checks ??= compiled()(OWN_FORMATS);
  return checks[profile];
}
