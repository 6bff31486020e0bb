import type { Voice } from './voice.js';

/** Czech. */
export const CZECH: Voice = {
  openings: {
    B: [
      '{name}: nadšení od první chvíle.',
      '{name}, mnohem lepší, než jsme čekali!',
      'Plný počet bodů, {name} stojí za to.',
      'Kdo ještě váhá: {name} je skvělá volba.',
    ],
    N: [
      'Víkend, {name}, pár poznámek.',
      '{name} poprvé.',
      'Byl tu někdo nedávno? {name}, ptám se kvůli létu.',
      '{name}: krátká zpráva z cesty.',
    ],
    R: [
      '{name}? Velké zklamání.',
      '{name}: dřív to bývalo mnohem lepší.',
      'Už nikdy víc, {name}.',
      'Nechápu, kde {name} bere ta dobrá hodnocení.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: ['Pokoj byl čistý a krásně tichý.'],
        staff: ['Personál pomůže dřív, než si řeknete.'],
        food: ['Už jen snídaně s teplým chlebem stojí za cestu.'],
        location: ['Všude je to pět minut, a přesto klid.'],
      },
      N: {
        rooms: ['Pokoje jsou malé, ale je v nich všechno.'],
        staff: ['Ubytovat se dá od tří hodin.'],
        food: ['Snídaně je od sedmi do půl jedenácté.'],
        location: ['Od nádraží je to čtvrt hodiny pěšky.'],
      },
      R: {
        rooms: ['Klimatizace rachotila celou noc.'],
        staff: ['Nikdo nenašel naši rezervaci a nikdo se neomluvil.'],
        food: ['Snídaně byla studená a v devět už nic nezbylo.'],
        location: ['„Výhled na moře“ je ve skutečnosti parkoviště.'],
      },
    },
    city: {
      B: {
        beaches: ['Pláž je čistá, široká a ráno skoro prázdná.'],
        culture: ['Noc luceren ve starém městě byla kouzelná.'],
        food: ['Tak dobrou rybu jsme nejedli roky.'],
        transport: ['Novou tramvají jste všude za pár minut.'],
      },
      N: {
        beaches: ['Severní pláž je kamenitá, jižní písečná.'],
        culture: ['V úterý má hrad zavřeno.'],
        food: ['Většina kuchyní otvírá v půl deváté.'],
        transport: ['Vlak z hlavního města jede dvě a půl hodiny.'],
      },
      R: {
        beaches: ['Na pláži bylo plno odpadků a koše nikdo nevynáší.'],
        culture: ['Hrad byl zavřený a nikde o tom nic nebylo.'],
        food: ['Třicet eur za ohřátou rýži.'],
        transport: ['Autobus nepřijel tři dny po sobě.'],
      },
    },
  },
  comments: {
    B: ['Přesně tak, nám se tam líbilo taky!', 'Nádhera 😍', 'Jedeme v červnu, už se těšíme!'],
    N: ['Je v listopadu otevřeno?', 'Kolik stojí noc?', 'Můžou tam psi?'],
    R: [
      'My jsme to bohužel zažili přesně naopak.',
      'Na to, co nabízejí, je to moc drahé.',
      'Na vrácení peněz čekám už tři týdny.',
    ],
  },
  answers: {
    B: ['Děkujeme, celý tým má radost!', 'Děkujeme za návštěvu a těšíme se příště!'],
    N: [
      'Dobrý den, časy a ceny najdete na naší stránce.',
      'Dobrá otázka: napište nám prosím soukromě termín pobytu.',
    ],
    R: [
      'To nás mrzí. Napište nám prosím soukromě termín pobytu.',
      'Omlouváme se, ještě dnes to prověříme.',
    ],
  },
  posts: {
    hotel: ['Dobré ráno, tady {name}! Od dneška snídáme na terase.'],
    city: ['{name} zve v sobotu na noc luceren. Program je na webu.'],
  },
  news: {
    hotel: {
      B: [['Hosté dávají nejlepší známky: {name}', 'V průzkumu zvítězil servis těchto hotelů.']],
      N: [['{name} otevře dům u přístavu v dubnu', 'Od podzimu se opravuje střecha.']],
      R: [
        ['{name}: hosté byli celé dny bez topení', 'Rodiny si stěžují, že peníze zpět nedostaly.'],
      ],
    },
    city: {
      B: [['{name} je nejhezčí malé město u moře', 'Čtenáře přesvědčily čisté pláže.']],
      N: [['{name} zveřejnila program noci luceren', 'V plánu je šedesát akcí.']],
      R: [['{name}: lidé se zlobí kvůli plným košům', 'Obyvatelé viní radnici z nečinnosti.']],
    },
  },
  abouts: ['Pěšky, vlakem a s kávou.', 'Pořád hledám moře.'],
};
