import ts from 'typescript';

/** Longer shapes stand below their name, a member a line. */
const MAX_LINE = 140;

const FLAGS =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

/**
 * Describes what declaration files export, as the compiler understands it: a line for each export,
 * with its shape.
 */
export function describeDeclarations(files: readonly string[]): readonly (readonly string[])[] {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    exactOptionalPropertyTypes: true,
    strict: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    const exported = checker.getExportsOfModule(module);
    return exported
      .map((symbol) =>
        `${symbol.name}: ${describe(resolved(symbol, checker), checker)}`.replace(': \n', '\n'),
      )
      .toSorted();
  });
}

function resolved(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
    return members(checker.getDeclaredTypeOfSymbol(symbol), checker);
  }
  if (symbol.flags & ts.SymbolFlags.TypeAlias) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const text = checker.typeToString(type, undefined, FLAGS | ts.TypeFormatFlags.InTypeAlias);
    if (type.isUnion() && symbol.name.endsWith('Options')) {
      return members(type, checker) + alternatives(type, checker);
    }
    return type.isIntersection() ? members(type, checker) : inOrder(text);
  }
  return inOrder(checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, FLAGS));
}

/** Members of which one is required, each by a part of the union. */
function alternatives(type: ts.UnionType, checker: ts.TypeChecker): string {
  const isRequired = ({ flags }: ts.Symbol): boolean => !(flags & ts.SymbolFlags.Optional);
  const always = checker.getPropertiesOfType(type).filter(isRequired);
  const names = type.types.flatMap((part) =>
    checker
      .getPropertiesOfType(part)
      .filter((one) => isRequired(one) && always.every(({ name }) => name !== one.name))
      .map(({ name }) => name),
  );
  return `\n  one of: ${names.toSorted().join(', ')}`;
}

function members(type: ts.Type, checker: ts.TypeChecker): string {
  const described = checker
    .getPropertiesOfType(type)
    .filter(({ name }) => name !== '#private' && name !== 'stack')
    .map((property) => {
      const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
      const shape = inOrder(
        checker.typeToString(checker.getTypeOfSymbol(property), undefined, FLAGS),
      );
      return `${property.name.replace(/@\d+$/, '')}${optional}: ${shape}`;
    })
    .toSorted();
  const line = `{ ${described.join('; ')} }`;
  return line.length <= MAX_LINE ? line : described.map((member) => `\n  ${member}`).join('');
}

/** The compiler gives members in the order in which it came across them. */
function inOrder(text: string): string {
  return text
    .replace(/[^{}()<>;,:=|]+(?:\|[^{}()<>;,:=|]+)+/g, (union) => sorted(union, '|'))
    .replace(/\{([^{}]*;) \}/g, (_, members: string) => `{ ${sorted(members, ';')} }`);
}

function sorted(text: string, separator: string): string {
  const parts = text.split(separator).map((part) => part.trim());
  const lead = text.startsWith(' ') ? ' ' : '';
  const trail = text.endsWith(' ') ? ' ' : '';
  return `${lead}${parts
    .filter((part) => part !== '')
    .toSorted()
    .join(`${separator} `)}${trail}`;
}
