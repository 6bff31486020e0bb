/** The mappings that come with docferry. */
export { readReadyMapping, readyMappings } from '../mapping/ready-mappings.js';
