export { isAlias, isMap, isScalar, isSeq, LineCounter, parse, parseDocument } from 'yaml';
