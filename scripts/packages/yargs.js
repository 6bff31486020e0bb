export { default } from 'yargs';
