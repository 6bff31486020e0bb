export { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parse, parseDocument } from 'yaml';
