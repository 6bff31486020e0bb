import type { Voice } from './voice.js';

/** German. */
export const GERMAN: Voice = {
  openings: {
    B: [
      'Gerade zurück aus {name}, und es fehlt uns schon.',
      '{name} ist noch schöner als auf den Fotos.',
      'Volle Punktzahl für {name}!',
      'Wer noch überlegt: {name} lohnt sich.',
      'Unser Hochzeitstag in {name} war perfekt.',
    ],
    N: [
      'Ein Wochenende in {name}.',
      'Ein paar Notizen zu {name}, weil gefragt wurde.',
      'Zum ersten Mal in {name}.',
      'War jemand in letzter Zeit in {name}?',
    ],
    R: [
      'Von {name} sind wir sehr enttäuscht.',
      '{name} war früher viel besser.',
      'Nie wieder {name}.',
      'Wie {name} zu den guten Noten kommt, ist mir ein Rätsel.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: [
          'Das Zimmer war blitzsauber und herrlich ruhig.',
          'Vom Balkon sieht man direkt aufs Meer.',
        ],
        staff: [
          'Das Personal hilft, bevor man fragt.',
          'Schon am zweiten Tag kannten alle unsere Namen.',
        ],
        food: [
          'Das Frühstück mit warmem Brot ist die Reise wert.',
          'Das Abendessen auf der Terrasse war ein Traum.',
        ],
        location: [
          'Fünf Minuten zu allem und trotzdem ruhig.',
          'Der Bus hält vor der Tür, das Auto blieb stehen.',
        ],
      },
      N: {
        rooms: ['Die Zimmer sind klein, aber es ist alles da.', 'Unser Zimmer ging zum Hof.'],
        staff: [
          'Einchecken kann man ab drei.',
          'Die Rezeption ist bis Mitternacht besetzt, danach gilt ein Code.',
        ],
        food: ['Frühstück gibt es von sieben bis halb elf.', 'Montags ist das Restaurant zu.'],
        location: [
          'Vom Bahnhof sind es etwa fünfzehn Minuten zu Fuß.',
          'Parken kostet extra und muss gebucht werden.',
        ],
      },
      R: {
        rooms: ['Die Klimaanlage klapperte die ganze Nacht.', 'Im Bad war Schimmel.'],
        staff: [
          'Niemand fand unsere Buchung, und niemand entschuldigte sich.',
          'Auf E-Mails kommt keine Antwort.',
        ],
        food: [
          'Das Frühstück war kalt und um neun schon weg.',
          'Zwölf Euro für ein Brot, das innen noch gefroren war.',
        ],
        location: [
          'Der „Meerblick“ ist ein Parkplatz.',
          'Ab sieben Uhr früh dröhnt die Baustelle unter dem Fenster.',
        ],
      },
    },
    city: {
      B: {
        beaches: [
          'Der Strand ist sauber, breit und morgens fast leer.',
          'Schwimmen bei Sonnenuntergang, unvergesslich.',
        ],
        culture: [
          'Die Laternennacht in der Altstadt war zauberhaft.',
          'Im Meeresmuseum blieben wir einen ganzen Vormittag.',
        ],
        food: [
          'So guten Fisch hatten wir seit Jahren nicht.',
          'Kleine Bars, kleine Preise, großartige Tapas.',
        ],
        transport: [
          'Mit der neuen Tram ist man überall in Minuten.',
          'Radwege am ganzen Ufer, wunderbar.',
        ],
      },
      N: {
        beaches: ['Der Nordstrand ist steinig, der Südstrand sandig.'],
        culture: ['Dienstags ist die Burg geschlossen.', 'Führungen beginnen um zehn und um vier.'],
        food: ['Die meisten Küchen öffnen um halb neun.'],
        transport: [
          'Der Zug aus der Hauptstadt braucht zweieinhalb Stunden.',
          'Die Tram fährt bis Mitternacht.',
        ],
      },
      R: {
        beaches: ['Überall Müll am Strand, und niemand leert die Eimer.'],
        culture: ['Die Burg war ohne Ankündigung zu.', 'So voll, dass man nur Hinterköpfe sah.'],
        food: ['Dreißig Euro für aufgewärmten Reis.'],
        transport: [
          'Der Bus kam drei Tage hintereinander nicht.',
          'Parken ist hoffnungslos und teuer.',
        ],
      },
    },
  },
  comments: {
    B: ['Stimmt, uns gefiel es auch sehr!', 'Wunderschön 😍', 'Danke fürs Teilen, wir freuen uns!'],
    N: ['Hat das im November offen?', 'Was kostet die Nacht?', 'Sind Hunde erlaubt?'],
    R: [
      'Bei uns war es leider genau umgekehrt.',
      'Viel zu teuer für das Gebotene.',
      'Ich warte seit drei Wochen auf mein Geld.',
    ],
  },
  answers: {
    B: ['Vielen Dank, das freut das ganze Team!', 'Danke für Ihren Besuch, bis zum nächsten Mal!'],
    N: [
      'Guten Tag! Zeiten und Preise stehen auf unserer Seite.',
      'Gute Frage: Schreiben Sie uns bitte privat mit Ihren Reisedaten.',
    ],
    R: [
      'Das tut uns leid. Schreiben Sie uns bitte privat mit Ihren Reisedaten.',
      'Wir bitten um Entschuldigung und gehen dem heute noch nach.',
    ],
  },
  posts: {
    hotel: [
      'Guten Morgen aus {name}! Ab heute gibt es Frühstück auf der Terrasse.',
      'Ab nächstem Monat sind Fahrräder für Gäste von {name} frei.',
    ],
    city: [
      'Am Samstag ist Laternennacht in {name}. Das Programm steht im Netz.',
      'Jeden Sonntag im Frühling: kostenlose Spaziergänge durch {name}.',
    ],
  },
  news: {
    hotel: {
      B: [['Gäste geben {name} Bestnoten', 'In einer Umfrage lagen die Häuser beim Service vorn.']],
      N: [['{name} öffnet Haus am Hafen im April', 'Seit Herbst wird am Dach gearbeitet.']],
      R: [
        [
          'Gäste von {name} tagelang ohne Heizung',
          'Familien klagen, dass ihnen eine Erstattung verweigert wurde.',
        ],
      ],
    },
    city: {
      B: [
        [
          '{name} ist schönstes kleines Reiseziel am Meer',
          'Saubere Strände überzeugten die Leser.',
        ],
      ],
      N: [
        ['{name} stellt Programm der Laternennacht vor', 'Geplant sind sechzig Veranstaltungen.'],
      ],
      R: [['Ärger in {name} über volle Mülltonnen', 'Anwohner werfen der Stadt Untätigkeit vor.']],
    },
  },
  abouts: [
    'Wandern, Züge und zu viel Kaffee.',
    'Immer auf der Suche nach dem Meer.',
    'Schreibt über kleine Hotels.',
  ],
};
