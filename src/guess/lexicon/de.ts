import type { Lexicon } from './concepts.js';

export const DE: Lexicon = {
  review:
    'bewertung bewertungen rezension rezensionen rezi beurteilung beurteilungen meinung meinungen erfahrungsbericht ruckmeldung',
  text: 'text kommentar kommentare inhalt nachricht beschreibung freitext anmerkung anmerkungen bemerkung bemerkungen wortlaut rezensionstext bewertungstext',
  title: 'titel uberschrift betreff zusammenfassung schlagzeile kurzfassung',
  positive: 'positiv positives positive vorteile vorteil gefallen gut lob starken pro gute gefiel',
  negative:
    'negativ negatives negative nachteile nachteil schlecht kritik schwachen contra kontra missfallen verbessern verbesserung verbesserungen verbesserungsvorschlage',
  rating:
    'sterne stern note punkte wertung punktzahl bewertung sternebewertung gesamtbewertung gesamtnote gesamt zufriedenheit schulnote gesamteindruck eindruck zufrieden',
  best: 'hochstwert maximum skala maximal',
  recommend:
    'empfehlung weiterempfehlung empfehlen weiterempfehlen empfohlen wahrscheinlich wahrscheinlichkeit empfiehlt weiterempfehlungsrate',
  aspect:
    'personal sauberkeit komfort ausstattung preis leistung lage essen zimmer fruhstuck betreuung beratung lieferung qualitat freundlichkeit wartezeit',
  sentiment: 'stimmung tonalitat',
  language: 'sprache sprachcode',
  tag: 'kategorie kategorien schlagwort schlagworter thema themen stichwort stichworte art typ reisetyp',
  url: 'url link adresse webadresse seite',
  image: 'bild bilder foto fotos',
  likes: 'likes hilfreich nutzlich daumen',
  date: 'datum zeit zeitpunkt uhrzeit tag zeitstempel monat jahr wann zeitangabe',
  written:
    'erstellt verfasst geschrieben veroffentlicht abgegeben eingegangen veroffentlichung eingang abgabe am',
  updated: 'aktualisiert geandert bearbeitet',
  experience:
    'aufenthalt aufenthalts reise besuch anreise abreise kauf bestellung reisezeit reisedatum besuchsdatum',
  scraped: 'abgerufen abruf abrufdatum heruntergeladen erfasst exportiert export',
  author:
    'autor verfasser nutzer benutzer kunde gast rezensent bewerter absender benutzername nutzername kundin patient von gastes gasts kunden nutzers verfassers bewerters verfasst fahrgast passagier teilnehmer mitarbeiter',
  name: 'name vorname nachname anzeigename',
  id: 'id nummer kennung nr schlussel kennzeichen',
  place:
    'hotel restaurant produkt ort firma unternehmen klinik krankenhaus arzt filiale geschaft laden standort artikel betrieb praxis unterkunft markt marke buch app arbeitgeber kurs schule versicherung bank werkstatt',
  country: 'land staat herkunftsland nationalitat',
  region: 'bundesland region kanton',
  city: 'stadt wohnort ort',
  location: 'herkunft wohnort',
  email: 'mailadresse telefon',
  reply: 'antwort antworten erwiderung stellungnahme inhaberantwort hotelantwort',
  count: 'anzahl zahl summe anz',
  average: 'durchschnitt durchschnittlich durchschnittsbewertung mittelwert',
  row: 'zeile lfd laufende',
  processed: 'ubersetzung ubersetzt bereinigt',
  flag: 'verifiziert ist',
};
