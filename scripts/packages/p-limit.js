export { default } from 'p-limit';
