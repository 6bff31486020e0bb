import { onDemand } from '../../model/on-demand.js';

/** Most mappings do without it, and start sooner. */
export const luxon: () => typeof import('luxon') = onDemand('luxon');
