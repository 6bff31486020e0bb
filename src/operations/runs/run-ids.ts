/** The ids of the runs in a state folder, of which nothing else is read. */
export { runIdsIn } from '../../runs/folder/run-files.js';
