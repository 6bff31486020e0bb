/** Ratings in words and signs: "sehr gut", "Muy satisfecho", THREE, 😐. */
import { nameWords } from '../lexicon/name-concepts.js';

/** Words for how good something was, by how good that is, from 0 to 100; in the languages of `../lexicon/`. */
const WORDS: readonly (readonly [strength: number, words: string])[] = [
  [
    100,
    `eccellente|ottimo|ottima|perfetto|perfetta|molto soddisfatto|molto soddisfatta|utmarkt|utmärkt|perfekt|mycket nojd|doskonaly|doskonały|doskonale|znakomity|znakomicie|wspanialy|wspaniały|celujacy|celujący|bardzo zadowolony|bardzo zadowolona|fremragende|fantastisk|enestaende|meget tilfreds|svaert fornoyd|erinomainen|erittain tyytyvainen|mukemmel|cok memnunum|отлично|отличный|превосходно|очень доволен|відмінно|kivalo|kiváló|foarte multumit|εξαιρετικο|εξαιρετικό|izvrsno|odlicno|odlično|大満足|とても満足|非常に満足|最高|非常满意|非常好|很满意|매우 만족|최고
    |excellent|outstanding|exceptional|perfect|superb|amazing|extremely satisfied|completely satisfied|extremely likely
    |strongly agree|excelente|excepcional|muy satisfecho|muy satisfecha|muito satisfeito|muito satisfeita|otimo|perfeito
    |totalmente de acuerdo|totalmente satisfecho|concordo totalmente|ausgezeichnet|hervorragend|exzellent|sehr zufrieden
    |perfekt|stimme voll zu|stimme voll und ganz zu|excellente|exceptionnel|parfait|tres satisfait|tres satisfaite
    |tout a fait satisfait|tout a fait d accord|uitstekend|uitmuntend|perfect|zeer tevreden|heel tevreden
    |helemaal mee eens|vynikajici|vyborne|vyborny|skvele|skvely|velmi spokojen|velmi spokojena|very satisfied|very happy|five
    |five stars|cinco estrellas|loved it|love it|🤩|😍|🥰|😁|💚`,
  ],
  [
    85,
    `molto buono|molto buona|molto bene|mycket bra|bardzo dobry|bardzo dobra|bardzo dobrze|meget god|meget godt|veldig bra|erittain hyva|cok iyi|harika|очень хорошо|дуже добре|nagyon jo|nagyon jó|foarte bun|foarte buna|foarte bine|πολυ καλο|πολύ καλό|vrlo dobro|とても良い|很好
    |very good|great|muy bueno|muy buena|muy bien|muito bom|muito boa|muito bem|sehr gut|tres bien|tres bon|tres bonne
    |zeer goed|heel goed|erg goed|velmi dobre|velmi dobry|above average|very likely|fantastic|wonderful`,
  ],
  [
    75,
    `buono|buona|bene|soddisfatto|soddisfatta|bra|nojd|nöjd|dobry|dobra|dobrze|zadowolony|zadowolona|god|godt|tilfreds|fornoyd|hyva|hyvä|tyytyvainen|iyi|memnunum|хорошо|хороший|доволен|добре|jo|jó|bun|buna|bine|multumit|καλο|καλό|dobro|満足|良い|やや満足|满意|好|만족
    |good|satisfied|happy|likely|agree|fresh|liked it|like|bien|bueno|buena|satisfecho|satisfecha|de acuerdo|bom|boa|bem
    |satisfeito|satisfeita|concordo|gut|zufrieden|stimme zu|bon|bonne|satisfait|satisfaite|plutot satisfait|d accord|goed
    |tevreden|mee eens|dobre|dobry|dobra|spokojen|spokojena|somewhat satisfied|rather satisfied|eher zufrieden|spise spokojen
    |algo satisfecho|four|four stars|positive|recommended|thumbs up|up|🙂|😊|😃|😀|👍|👍🏻|👍️`,
  ],
  [
    50,
    `nella media|discreto|sufficiente|medio|cosi cosi|godkant|godkänt|medel|okej|varken eller|przecietny|przeciętny|przecietna|przeciętna|przecietnie|sredni|średni|średnio|dostateczny|neutralny|middel|middels|hverken eller|kohtalainen|keskiverto|neutraali|orta|fena degil|fena değil|ortalama|kararsizim|нормально|удовлетворительно|средне|так себе|задовільно|kozepes|közepes|atlagos|mediu|acceptabil|μετριο|μέτριο|prosjecno|prosječno|普通|どちらともいえない|ふつう|一般|보통
    |average|ok|okay|fair|neutral|neither satisfied nor dissatisfied|neither agree nor disagree|mixed|regular|normal|aceptable
    |ni satisfecho ni insatisfecho|neutro|razoavel|nem satisfeito nem insatisfeito|befriedigend|mittel|mittelmassig
    |durchschnittlich|teils teils|weder noch|moyen|moyenne|correct|passable|neutre|ni satisfait ni insatisfait|gemiddeld
    |voldoende|neutraal|niet tevreden en niet ontevreden|prumerne|prumerny|neutralni|ujde|acceptable|it was ok|three
    |three stars|😐|😑`,
  ],
  [35, `below average|ausreichend|matig|passabel`],
  [
    25,
    `scarso|scarsa|insufficiente|mediocre|insoddisfatto|daligt|dåligt|dalig|missnojd|missnöjd|slaby|słaby|slaba|słaba|slabo|słabo|zly|zły|niezadowolony|darlig|dårlig|darligt|dårligt|utilfreds|misfornoyd|huono|tyytymaton|kotu|kötü|memnun degilim|плохо|плохой|недоволен|погано|rossz|gyenge|slab|slaba|nemultumit|κακο|κακό|lose|loše|不満|やや不満|悪い|不满意|差|불만족|불만
    |poor|bad|dissatisfied|unsatisfied|unhappy|unlikely|disagree|rotten|didn t like it|did not like it|dislike|mal|malo|mala
    |insatisfecho|insatisfecha|poco satisfecho|en desacuerdo|ruim|mau|insatisfeito|insatisfeita|discordo|schlecht|mangelhaft
    |unzufrieden|stimme nicht zu|mauvais|mauvaise|mediocre|insatisfait|insatisfaite|peu satisfait|pas d accord|slecht
    |onvoldoende|ontevreden|mee oneens|spatne|spatny|spatna|nespokojen|nespokojena|somewhat dissatisfied|rather dissatisfied
    |eher unzufrieden|spise nespokojen|plutot insatisfait|algo insatisfecho|two|two stars|negative|not recommended
    |thumbs down|down|🙁|☹️|☹|😕|😞|👎|👎🏻|👎️`,
  ],
  [
    10,
    `molto insoddisfatto|mycket daligt|mycket dåligt|mycket missnojd|bardzo slaby|bardzo słaby|bardzo zly|bardzo zły|meget darlig|meget dårlig|erittain huono|cok kotu|çok kötü|очень плохо|дуже погано|nagyon rossz|foarte slab|とても不満|非常に不満|很差|非常不满意|매우 불만족
    |very poor|very bad|very dissatisfied|very unsatisfied|very unhappy|very unlikely|muy malo|muy mala|muy mal|muy insatisfecho
    |muy insatisfecha|muito ruim|muito mau|muito insatisfeito|muito insatisfeita|sehr schlecht|sehr unzufrieden
    |tres mauvais|tres mauvaise|tres mal|tres insatisfait|tres insatisfaite|zeer slecht|heel slecht|erg slecht|zeer ontevreden
    |heel ontevreden|velmi spatne|velmi nespokojen|velmi nespokojena`,
  ],
  [
    0,
    `pessimo|pessima|terribile|orribile|uselt|usel|hemskt|okropny|okropnie|fatalny|fatalnie|tragiczny|niedostateczny|elendig|forfaerdelig|forferdelig|surkea|kauhea|berbat|ужасно|ужасный|отвратительно|жахливо|borzalmas|szornyu|szörnyű|groaznic|oribil|ingrozitor|απαισιο|απαίσιο|uzasno|užasno|grozno|最悪|非常差|最差|최악
    |terrible|horrible|awful|worst|extremely dissatisfied|extremely unlikely|strongly disagree|hated it|pesimo|pesima|nefasto
    |totalmente en desacuerdo|pessimo|pessima|discordo totalmente|ungenugend|katastrophal|furchtbar|stimme gar nicht zu
    |stimme uberhaupt nicht zu|execrable|pas du tout satisfait|pas du tout d accord|verschrikkelijk|vreselijk
    |helemaal mee oneens|hrozne|hrozny|strasne|nedostatecne|one|one star|😠|😡|🤬|😤|😢|😭`,
  ],
];

/** How far apart good and bad are at least. */
const GOOD = 70;
const BAD = 30;
const MAX_VERDICTS = 14;

let strengths: ReadonlyMap<string, number> | undefined;

function strengthOf(text: string): number | undefined {
  if (text.length > 40) return undefined;
  if (strengths === undefined) {
    const all = WORDS.flatMap(([strength, words]) =>
      words.split('|').map((word) => [plain(word), strength] as const),
    );
    strengths = new Map(all);
  }
  return strengths.get(plain(text));
}

function plain(text: string): string {
  const words = nameWords(text.toLowerCase()).join(' ');
  return words === '' ? text.trim() : words;
}

/** A column's verdicts. */
export interface Verdicts {
  /** For each text found, how good it is, from 0 to 100. */
  readonly strengths: ReadonlyMap<string, number>;
  /** Where all verdicts are either good or bad, for each text whether it is good. */
  readonly sides?: ReadonlyMap<string, boolean>;
  /** Where there are more than good and bad, for each text its place on a scale from 1 to 5. */
  readonly ratings?: Readonly<Record<string, number>>;
}

/** Reads a column's different texts as verdicts; nothing when one of them is none. */
export function readVerdicts(distinct: readonly string[]): Verdicts | undefined {
  if (distinct.length < 2 || distinct.length > MAX_VERDICTS) return undefined;
  const found = new Map<string, number>();
  for (const text of distinct) {
    const strength = strengthOf(text);
    if (strength === undefined) return undefined;
    found.set(text, strength);
  }
  const levels = [...new Set(found.values())].toSorted((a, b) => a - b);
  if (levels.length === 1) return undefined;
  if (levels.length === 2) return { strengths: found, ...sidesOf(found) };
  const entries = [...found].map(([text, strength]) => [text, ratingOf(strength, levels)] as const);
  return {
    strengths: found,
    ratings: Object.fromEntries(entries.toSorted(([, a], [, b]) => b - a)),
  };
}

function sidesOf(found: ReadonlyMap<string, number>): Pick<Verdicts, 'sides'> {
  const told = [...found.values()].every((strength) => strength > GOOD || strength < BAD);
  const sides = new Map([...found].map(([text, strength]) => [text, strength > GOOD]));
  return told && new Set(sides.values()).size === 2 ? { sides } : {};
}

/** Five levels are 1 to 5, whatever they are called; of fewer or more, each by how good it is. */
function ratingOf(strength: number, levels: readonly number[]): number {
  if (levels.length === 5) return 1 + levels.indexOf(strength);
  if (strength === levels.at(-1) && strength > GOOD) return 5;
  return Math.min(5, Math.max(1, Math.round(1 + strength / 25)));
}
