import type { Language } from '../../../service/codes.js';
import { CZECH } from './cs.js';
import { GERMAN } from './de.js';
import { ENGLISH } from './en.js';
import { SPANISH } from './es.js';
import { FRENCH } from './fr.js';
import { DUTCH } from './nl.js';
import { PORTUGUESE } from './pt.js';
import type { Voice } from './voice.js';

/** How each language sounds. */
export const VOICES: Readonly<Record<Language, Voice>> = {
  cs: CZECH,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  nl: DUTCH,
  pt: PORTUGUESE,
};
