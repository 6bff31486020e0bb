/** Whether the values of a column are places at all: `state` may be one of moderation. */
import { nameWords } from '../lexicon/name-concepts.js';

const IN = 'en es fr de pt nl cs it pl sv da nb fi tr ru uk hu ro el hr ja zh ko'.split(' ');
const OTHER_NAMES =
  'uk usa us england scotland wales northern ireland great britain holland czech republic korea emirates uae schweiz';

let countries: ReadonlySet<string> | undefined;

/** Names and codes of countries in the languages of column names, plain. */
function countryNames(): ReadonlySet<string> {
  if (countries !== undefined) return countries;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const made = new Set<string>(OTHER_NAMES.split(' '));
  for (const locale of IN) {
    const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = names.of(code);
      if (name === undefined) continue;
      made.add(plain(name)).add(code.toLowerCase());
    }
  }
  countries = made;
  return made;
}

function plain(text: string): string {
  return nameWords(text.toLowerCase()).join(' ');
}

/** Whether most values name countries, or have a country's code of two or three letters. */
export function areCountries(distinct: readonly string[]): boolean {
  const known = distinct.filter((text) => {
    return /^[A-Z]{3}$/u.test(text) || countryNames().has(plain(text));
  });
  return known.length >= distinct.length / 2;
}

const STATES =
  'alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky ' +
  'louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania ' +
  'tennessee texas utah vermont virginia washington wisconsin wyoming acre alagoas amapa amazonas bahia ceara goias maranhao parana ' +
  'pernambuco piaui rondonia roraima sergipe tocantins aguascalientes campeche chiapas chihuahua coahuila colima durango guanajuato guerrero ' +
  'hidalgo jalisco michoacan morelos nayarit oaxaca puebla queretaro sinaloa sonora tabasco tamaulipas tlaxcala veracruz yucatan zacatecas ' +
  'queensland victoria tasmania kerala karnataka gujarat maharashtra punjab rajasthan bihar bayern bavaria hessen sachsen saarland thuringen ' +
  'berlin hamburg bremen brandenburg';

/** Whether most values are codes of states, or some are states that are well known. */
export function areStates(distinct: readonly string[]): boolean {
  const codes = distinct.filter((text) => /^(?:[A-Z]{2}-)?[A-Z]{2,3}$/u.test(text));
  if (codes.length >= distinct.length * 0.8) return true;
  const names = new Set(STATES.split(' '));
  const known = distinct.filter((text) => names.has(plain(text)));
  return known.length >= Math.max(1, distinct.length / 4);
}

/** What becomes of a text, an order or an account, as columns called `state` and `status` say. */
const MODERATION = new Set(
  (
    'published unpublished approved unapproved pending rejected hidden deleted removed flagged active inactive open closed new old ' +
    'spam draft visible invisible live verified unverified archived accepted declined moderated processed done resolved unresolved ' +
    'waiting review submitted completed complete incomplete partial failed success ok error enabled disabled public private blocked ' +
    'used refurbished online offline shipped delivered cancelled canceled refunded paid unpaid ' +
    'publicado publicada aprobado aprobada pendiente rechazado rechazada oculto oculta eliminado activo inactivo abierto cerrado borrador revisado ' +
    'aprovado aprovada pendente rejeitado rejeitada ativo inativo concluido analise ' +
    'publie publiee approuve approuvee refuse refusee rejete rejetee attente masque supprime actif inactif brouillon valide validee ' +
    'veroffentlicht freigegeben ausstehend abgelehnt gesperrt verborgen geloscht aktiv inaktiv offen entwurf gepruft wartend ' +
    'gepubliceerd goedgekeurd afgekeurd afgewezen wachtend verborgen verwijderd actief inactief concept ' +
    'pubblicato pubblicata approvato approvata rifiutato rifiutata nascosto attivo bozza attesa ' +
    'opublikowana opublikowany zatwierdzona zatwierdzony oczekujaca odrzucona odrzucony ukryta aktywna ' +
    'publicerad godkand vantar avvisad dold aktiv utkast publiceret godkendt afventer afvist publisert godkjent avvist ' +
    'schvaleno zamitnuto ceka zverejneno skryto yayinlandi onaylandi beklemede reddedildi ' +
    'опубликован опубликовано одобрен одобрено отклонен отклонено скрыт 公開 非公開 承認 承認済み 保留 已发布 待审核 已通过 게시 승인 대기'
  ).split(' '),
);

/** Why values are no places; nothing where they may be. */
export function notPlaces(distinct: readonly string[]): string | undefined {
  const stated = distinct.filter((text) => text !== '');
  const states = stated.filter((text) => isModeration(text));
  if (states.length >= stated.length / 2) return 'its values say what became of something';
  const capital = stated.filter((text) => !/^\p{Ll}/u.test(text));
  if (capital.length < stated.length * 0.7) return 'its values are no names';
  return undefined;
}

function isModeration(text: string): boolean {
  const words = nameWords(text.toLowerCase());
  return words.length > 0 && words.length <= 3 && words.some((word) => MODERATION.has(word));
}
