/**
 * The words of relative dates in the languages of the service, and in Korean. Everything is written in small
 * letters and without accents, as texts are before they are compared.
 */

/** What relative dates count in. */
export type RelativeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

/** How one language says how long ago something was. */
export interface RelativeWords {
  /** Around the count and the unit, such as `vor … ` or `… ago`; `*` stands for both. */
  readonly frames: readonly string[];
  /** Words for one. */
  readonly one: readonly string[];
  /** Words that may stand before the count and change little: `about`, `over`. */
  readonly roughly: readonly string[];
  /** Names and abbreviations; `m` alone is what Unicode's data for the language says it is. */
  readonly units: Readonly<Record<RelativeUnit, string>>;
  /** Words that say it without counting: days back. */
  readonly days: Readonly<Record<string, number>>;
  /** Words for this very moment. */
  readonly now: readonly string[];
}

/** One entry a language. */
export const RELATIVE_WORDS: readonly RelativeWords[] = [
  {
    frames: ['pred *', '* zpet', '* zpatky'],
    one: ['jednim', 'jednou', 'jeden', 'jedna', 'jednu'],
    roughly: ['asi', 'priblizne', 'zhruba', 'vice nez'],
    units: {
      seconds: 'sekundou sekundami sekundu sekundy sekund vterinou vterinami s sek',
      minutes: 'minutou minutami minutu minuty minut min',
      hours: 'hodinou hodinami hodinu hodiny hodin h hod',
      days: 'dnem dny den dni d',
      weeks: 'tydnem tydny tyden tydnu tyd',
      months: 'mesicem mesici mesic mesice mesicu mes',
      years: 'rokem roky rok roku lety let r l',
    },
    days: { dnes: 0, vcera: 1, predevcirem: 2 },
    now: ['prave ted', 'nyni', 'ted', 'pred chvili'],
  },
  {
    frames: ['vor *'],
    one: ['einem', 'einer', 'ein', 'eine', 'einen'],
    roughly: ['etwa', 'ungefahr', 'circa', 'ca', 'uber', 'mehr als', 'fast'],
    units: {
      seconds: 'sekunde sekunden sek s',
      minutes: 'minute minuten min',
      hours: 'stunde stunden std h',
      days: 'tag tagen tage tg d',
      weeks: 'woche wochen wo',
      months: 'monat monaten monate mon',
      years: 'jahr jahren jahre j',
    },
    days: { heute: 0, gestern: 1, vorgestern: 2 },
    now: ['jetzt', 'gerade eben', 'soeben', 'gerade'],
  },
  {
    frames: ['* ago'],
    one: ['a', 'an', 'one'],
    roughly: ['about', 'around', 'over', 'almost', 'more than', 'nearly'],
    units: {
      seconds: 'second seconds sec secs s',
      minutes: 'minute minutes min mins m',
      hours: 'hour hours hr hrs h',
      days: 'day days d',
      weeks: 'week weeks wk wks w',
      months: 'month months mo mos mth mths',
      years: 'year years yr yrs y',
    },
    days: { today: 0, yesterday: 1 },
    now: ['now', 'just now', 'moments ago', 'a moment ago', 'a few seconds ago'],
  },
  {
    frames: ['hace *', '* atras'],
    one: ['un', 'una', 'uno'],
    roughly: ['mas de', 'casi', 'aproximadamente', 'unos', 'unas'],
    units: {
      seconds: 'segundo segundos seg s',
      minutes: 'minuto minutos min',
      hours: 'hora horas h',
      days: 'dia dias d',
      weeks: 'semana semanas sem',
      months: 'mes meses m',
      years: 'ano anos a',
    },
    days: { hoy: 0, ayer: 1, anteayer: 2, antier: 2 },
    now: ['ahora', 'ahora mismo', 'hace un momento', 'hace unos segundos'],
  },
  {
    frames: ['il y a *'],
    one: ['un', 'une'],
    roughly: ['environ', 'plus de', 'pres de', 'presque'],
    units: {
      seconds: 'seconde secondes sec s',
      minutes: 'minute minutes min',
      hours: 'heure heures h',
      days: 'jour jours j',
      weeks: 'semaine semaines sem',
      months: 'mois m',
      years: 'an ans annee annees a',
    },
    days: { "aujourd'hui": 0, hier: 1, 'avant-hier': 2 },
    now: ['maintenant', "a l'instant", 'il y a quelques secondes'],
  },
  {
    frames: ['* ?전'],
    one: ['한'],
    roughly: ['약', '대략', '거의'],
    units: {
      seconds: '초',
      minutes: '분',
      hours: '시간',
      days: '일',
      weeks: '주 주일',
      months: '달 개월',
      years: '년',
    },
    days: { 오늘: 0, 어제: 1, 그제: 2, 그저께: 2 },
    now: ['지금', '방금', '방금 전'],
  },
  {
    frames: ['* geleden'],
    one: ['een'],
    roughly: ['ongeveer', 'circa', 'ruim', 'meer dan', 'bijna'],
    units: {
      seconds: 'seconde seconden sec s',
      minutes: 'minuut minuten min m',
      hours: 'uur uren u',
      days: 'dag dagen d dgn',
      weeks: 'week weken w',
      months: 'maand maanden mnd',
      years: 'jaar jaren jr j',
    },
    days: { vandaag: 0, gisteren: 1, eergisteren: 2 },
    now: ['nu', 'zojuist', 'zonet', 'net'],
  },
  {
    frames: ['ha *', '* atras', 'ha * atras', 'faz *'],
    one: ['um', 'uma'],
    roughly: ['cerca de', 'mais de', 'quase', 'aproximadamente'],
    units: {
      seconds: 'segundo segundos seg s',
      minutes: 'minuto minutos min',
      hours: 'hora horas h',
      days: 'dia dias d',
      weeks: 'semana semanas sem',
      months: 'mes meses',
      years: 'ano anos a',
    },
    days: { hoje: 0, ontem: 1, anteontem: 2 },
    now: ['agora', 'agora mesmo', 'neste momento'],
  },
];
