/** Month names in a text of which no language is known. */
import { monthNames } from '../../mapping/dates/month-names.js';

/** Whether a name is looked for in the usual languages only, or in all that Node.js knows. */
export type Tongues = 'usual' | 'all';

/** The languages of the service first, then those of most speakers, then all others of Unicode's data. */
const USUAL = 'en es fr de pt nl cs';
const FREQUENT =
  'it pl sv da nb fi tr ru uk hu ro el bg hr sr sr-Latn sk sl lt lv et ca id vi th ar he fa hi ja ko zh ms fil gl eu ga is mk sq bs';
const OTHERS =
  'dz af agq ak am hy as asa ast az az-Cyrl ba bm bas be bem bn bez bg bho bo bs-Cyrl br brx my luy ccp ce ceb cgg chr cv ckb syr sa kw csw cy ' +
  'dav doi dje mn dsb dua dyo ebu ee eo ewo fo ff fur fy gaa om gd ka ksw gsw gu guz ha haw hsb hu ia ig ii jv jgo yi jmc kab kl kam kn ks kk kde ' +
  'kea kgp km khq ki rw ky kkj kln ku kok ksb ksf ksh kxv lag lo lb lg lij ln lkt lmo lrc lu luo mai ml mni mr mas mer mfe mg mgh mgo mt ro mua mzn ' +
  'naq nd nds ne nmg nn nnh nqo nso nus nyn oc or os pa ps pcm prg qu rm rn rof rwk sg sah saq sat sbp sc scn sd se seh ses shi si smn so st su sw ' +
  'szl ta te teo tg ti tk tn to tok twq tyv tzm ug ur uz uz-Cyrl vai vec vmw vun wae wo xh xog yav yo yrl yue za zgh zu';

const known = new Map<string, readonly string[]>();

/** The languages that have a month of this name, of the most usual group in which any has; else none. */
export function localesOfMonth(name: string, tongues: Tongues): readonly string[] {
  const key = `${tongues} ${name}`;
  const locales = known.get(key) ?? findLocales(name, tongues);
  known.set(key, locales);
  return locales;
}

function findLocales(name: string, tongues: Tongues): readonly string[] {
  for (const group of tongues === 'usual' ? [USUAL] : [USUAL, FREQUENT, OTHERS]) {
    const locales = Intl.DateTimeFormat.supportedLocalesOf(group.split(' '));
    const found = locales.filter((locale) => monthNames(locale).numberOf(name) !== undefined);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The fewest languages that read all names, the most frequent first, and a name that other languages,
 * which read as many, take for another month.
 */
export function chooseLocales(
  names: readonly string[],
  candidates: readonly string[],
): { readonly locales: readonly string[]; readonly doubtfulMonth: string | undefined } {
  const locales: string[] = [];
  let open = names;
  let doubtfulMonth: string | undefined;
  while (open.length > 0 && locales.length < MAX_LOCALES) {
    const counted = candidates.map((locale) => ({ locale, read: readBy(locale, open) }));
    const [best, ...others] = counted.toSorted((one, other) => other.read.length - one.read.length);
    if (best === undefined || best.read.length === 0) break;
    doubtfulMonth ??= best.read.find((name) =>
      others.some(
        ({ locale, read }) =>
          read.length === best.read.length && isOther(name, locale, best.locale),
      ),
    );
    locales.push(best.locale);
    open = open.filter((name) => !best.read.includes(name));
  }
  return { locales, doubtfulMonth };
}

const MAX_LOCALES = 12;

function readBy(locale: string, names: readonly string[]): readonly string[] {
  const { numberOf } = monthNames(locale);
  return names.filter((name) => numberOf(name) !== undefined);
}

/** Whether two languages take a name for different months: `listopad` is October or November. */
function isOther(name: string, one: string, other: string): boolean {
  const number = monthNames(one).numberOf(name);
  return number !== undefined && number !== monthNames(other).numberOf(name);
}
