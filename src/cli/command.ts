import type { CommandModule } from 'yargs';

/** What a command does once its arguments are read; gives the exit status. */
export type Work = () => Promise<number>;

/** Hands over what is to be done, when reading the command line is over. */
export type Start = (work: Work) => void;

/** A command but for its name and description, which stand in the list of commands. */
export type CommandBody<Arguments> = Pick<CommandModule<object, Arguments>, 'builder' | 'handler'>;
