/**
 * Says what keeps this version from being published, and exits with 1; or prints the tag under which
 * npm is to offer it, `latest` or `next`. `npm publish` runs it before anything else. In the
 * repository's workflow it also knows where it runs (GITHUB_REPOSITORY, GITHUB_REF_NAME).
 */
import { readFileSync } from 'node:fs';
import { distTag, isVersion } from './published-version.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { GITHUB_REPOSITORY: runsIn, GITHUB_REF_NAME: tag } = process.env;
const { version } = manifest;

const reasons = [...ofVersion(), ...ofAddresses(), ...ofChangelog()];
if (reasons.length === 0) process.stdout.write(`${distTag(version)}\n`);
else {
  process.stderr.write(`${[`docferry ${version} can't be published:`, ...reasons].join('\n- ')}\n`);
  process.exitCode = 1;
}

function* ofVersion() {
  if (!isVersion(version))
    yield `package.json: ${version} is no version such as 1.2.0 or 1.2.0-rc.0`;
  if (lock.version !== version || lock.packages[''].version !== version) {
    yield `package-lock.json has version ${lock.version}: run npm version ${version} --no-git-tag-version --allow-same-version`;
  }
  if (tag !== undefined && tag !== `v${version}`) {
    yield `the tag is ${tag}, and the version needs v${version}: tag the commit that has this version`;
  }
}

/** Provenance says which repository a package was built in, and npm compares that with package.json. */
function* ofAddresses() {
  const { repository } = manifest;
  if (repository?.url === undefined) {
    yield 'package.json has no repository: add { "type": "git", "url": "git+https://github.com/OWNER/NAME.git" } with the public address of this repository';
  } else if (runsIn !== undefined && !repository.url.endsWith(`github.com/${runsIn}.git`)) {
    yield `package.json has the repository ${repository.url}, and this is ${runsIn}: npm refuses a package whose provenance names another`;
  }
}

function* ofChangelog() {
  if (!changelog.includes(`\n## ${version} `)) {
    yield `CHANGELOG.md has no section for ${version}: run node scripts/cut-changelog.mjs ${version}`;
  } else if (!/\n## Unreleased\n\s*## /.test(changelog)) {
    yield 'CHANGELOG.md has changes under Unreleased: move what this version has to its section';
  }
}
