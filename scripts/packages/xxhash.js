export { default } from 'xxhash-wasm';
