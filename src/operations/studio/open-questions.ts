/** Finds the questions that a mapping's text still asks, each with the edits that answer it. */
import type { MappingChange } from '../../mapping/load/edit-mapping.js';
import { checkMapping } from '../../mapping/load/load-mapping.js';

/** An open question of a mapping's text: a TODO. */
export interface Question {
  /** Dotted name of the field that it is about; `null` if it is about the whole mapping. */
  readonly field: string | null;
  /** The question without the edit in words. */
  readonly ask: string;
  /** Line of the TODO in the text, from 1. */
  readonly line: number;
  /** Answers that change the mapping. To keep it as it is, dismiss the TODO. */
  readonly answers: readonly QuestionAnswer[];
}

export interface QuestionAnswer {
  readonly label: string;
  readonly changes: readonly MappingChange[];
  /** The value of the only change is a date that the user may replace: `2026-03-31`. */
  readonly input?: 'date';
}

/** Lists the TODOs of a text. */
export function openQuestions(text: string): readonly Question[] {
  return checkMapping(text)
    .filter(({ message }) => message.startsWith('TODO'))
    .map(({ message, line, path }) => ({
      field: path[0] === 'document' ? path.slice(1).join('.') : null,
      ask: message.replace(/^TODO: /u, ''),
      line,
      answers: [],
    }));
}
