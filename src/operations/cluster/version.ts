export { ownVersion } from '../../api/version.js';
