/** The ids of the runs in a state folder, of which nothing else is read. */
export { runIdsIn } from '../../runs/sqlite/run-files.js';
