import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv, type SchemaObject } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { ALL_CASES, longTest } from '../helpers/runs.js';

const json = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const { version } = json('package.json');
const lock: Readonly<Record<string, Locked>> = json('package-lock.json').packages;

/** A package in the lock file, and what it is there for. */
interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  /** For development, or where a user happens to have it. */
  readonly devOptional?: boolean;
}

/** A bill of materials, as far as the tests look at it. */
interface Bill {
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}
interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

let bill: Bill;
beforeAll(() => {
  if (!ALL_CASES) return;
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], options));
});

describe('the bill of materials', () => {
  longTest('is valid CycloneDX, and that of this version', () => {
    const isValid = validatorOf(bill.specVersion);
    isValid(bill);
    expect(isValid.errors).toBeNull();
    expect(isValid({ ...bill, components: [{ name: 'without a type' }] })).toBe(false);
    expect(bill.metadata.component).toMatchObject({
      name: 'docferry',
      version,
      purl: `pkg:npm/docferry@${version}`,
    });
  });

  longTest('lists everything that comes with the package, in its version', () => {
    const installed = Object.entries(lock)
      .filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional)
      .map(([folder, { version }]) => `${folder.replace(/^.*node_modules\//, '')} ${version}`);
    expect(installed.length).toBeGreaterThan(50);
    expect(missing(installed)).toEqual([]);
  });

  longTest('lists everything that is bundled with it', () => {
    const bundled = ['dist/packages', 'dist/studio/web'].flatMap((folder) =>
      bundledIn(path.join(ROOT, folder, 'LICENSES.txt')),
    );
    expect(bundled.join()).toMatch(/yargs .*preact /);
    expect(missing(bundled)).toEqual([]);
  });

  longTest('lists no development tool', () => {
    expect(listed().filter((one) => /^(?:vitest|typescript|@biomejs)/.test(one))).toEqual([]);
  });
});

function listed(): readonly string[] {
  return bill.components.map(({ name, version }) => `${name} ${version}`);
}

function missing(packages: readonly string[]): readonly string[] {
  return packages.filter((one) => !listed().includes(one));
}

/** The names and versions in a file of licences: each stands above its licence. */
function bundledIn(file: string): readonly string[] {
  const licences = readFileSync(file, 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  return licences.map((licence) => licence.slice(0, licence.indexOf('\n')));
}

/** By the schemas that CycloneDX publishes. */
function validatorOf(specVersion: string) {
  const library = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  );
  const schema = (name: string): SchemaObject =>
    JSON.parse(
      readFileSync(path.join(library, `../res/schema/${name}.SNAPSHOT.schema.json`), 'utf8'),
    );
  const ajv = new Ajv({ strict: false });
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  addFormats.default(ajv);
  // Addresses in other alphabets; npm writes none.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  return ajv.compile(schema(`bom-${specVersion}`));
}
