export { eld } from 'eld/small';
