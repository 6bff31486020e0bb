import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema: Schema = JSON.parse(
  readFileSync(path.join(ROOT, 'schemas/mapping.schema.json'), 'utf8'),
);
const { $defs = {} } = schema;

const TYPES: readonly (readonly [string, Schema | undefined])[] = [
  ['WrittenMapping', schema],
  ['MappingLayout', $defs['layout']],
  ['InputOptions', $defs['input']],
  ['DocumentRules', $defs['document']],
  ['LocationRules', $defs['locations']],
  ['AuthorRules', $defs['author']],
  ['RuleObject', $defs['rule']],
  ['Scale', $defs['rule']?.properties?.['scale']],
  ['SkipCondition', $defs['condition']],
  ['MappingTest', $defs['test']],
  ['Expectations', $defs['expectations']],
];

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

describe('the type of a mapping', () => {
  it('has the keys of the schema, asks for the same, and allows the same words', () => {
    const files = ['src/mapping/mapping.ts', 'src/formats/options.ts'];
    const program = ts.createProgram(
      files.map((file) => path.join(ROOT, file)),
      OPTIONS,
    );
    for (const [name, part] of TYPES) {
      expect(typeInWords(program, name), name).toEqual(schemaInWords(part as Schema));
    }
  });
});

/** Keys, with `?` if they may be left out, and the words they may have if these are few. */
function typeInWords(program: ts.Program, name: string): readonly string[] {
  const checker = program.getTypeChecker();
  const declared = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(path.join(ROOT, 'src')))
    .flatMap(({ statements }) => [...statements])
    .find(
      (one): one is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
        (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) &&
        one.name.text === name,
    );
  if (declared === undefined) return expect.fail(`there is no type ${name}`);
  const properties = checker.getTypeAtLocation(declared).getProperties();
  return properties
    .map((property) => {
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
      return inWords(property.name, !optional, wordsOf(type));
    })
    .toSorted();
}

function wordsOf(type: ts.Type): readonly string[] {
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => member.isStringLiteral())
    ? members.map((member) => (member as ts.StringLiteralType).value)
    : [];
}

function schemaInWords({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.entries(properties)
    .map(([name, property]) => {
      const words = [property.enum, referred(property)?.enum].flatMap((list) => list ?? []);
      return inWords(name, required.includes(name), words as string[]);
    })
    .toSorted();
}

function referred({ $ref }: Schema): Schema | undefined {
  return $ref === undefined ? undefined : $defs[$ref.replace('#/$defs/', '')];
}

function inWords(name: string, required: boolean, words: readonly string[]): string {
  return `${name}${required ? '' : '?'}: ${words.toSorted().join(' | ')}`;
}
