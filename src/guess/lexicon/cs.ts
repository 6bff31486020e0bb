import type { Lexicon } from './concepts.js';

export const CS: Lexicon = {
  review: 'recenze recenzi hodnoceni nazor nazory posudek ohlas zkusenost',
  text: 'text komentar komentare obsah zprava popis poznamka poznamky slovni vyjadreni',
  title: 'titulek nadpis predmet shrnuti',
  positive: 'pozitivni pozitiva klady vyhody libilo plusy dobre pochvala',
  negative: 'negativni negativa zapory nevyhody nelibilo minusy spatne vytky zlepsit zlepseni',
  rating:
    'hodnoceni hvezdicky hvezdicek hvezd hvezdy znamka body skore bodu spokojenost procent spokojeni spokojeny spokojena dojem ohodnotte',
  best: 'maximum stupnice',
  recommend: 'doporuceni doporucuje doporucil doporucili doporucite doporucujete pravdepodobne',
  aspect:
    'personal cistota komfort pohodli vybaveni obsluha jidlo poloha kvalita cena pokoj snidane doprava dodani',
  sentiment: 'sentiment nalada',
  language: 'jazyk kod',
  tag: 'kategorie stitek stitky tema temata typ druh',
  url: 'url odkaz adresa stranka',
  image: 'obrazek fotka foto fotky obrazky',
  likes: 'uzitecne palce libi uzitecnost',
  date: 'datum cas den mesic rok kdy casova casove znacka razitko',
  written:
    'vytvoreno napsano publikovano pridano zverejneno vlozeno vytvoreni napsani pridani odeslano',
  updated: 'upraveno aktualizovano zmeneno',
  experience: 'pobyt pobytu navsteva navstevy nakup nakupu objednavka objednavky cesta zajezd',
  scraped: 'stazeno exportovano',
  author:
    'autor uzivatel zakaznik host recenzent jmeno prezdivka hosta autora zakaznika uzivatele kupujici pacient cestujici ucastnik',
  name: 'jmeno prijmeni',
  id: 'id cislo kod identifikator klic',
  place:
    'hotel restaurace produkt misto podnik obchod firma provozovna zbozi pobocka hotelu produktu znacka kniha nazev',
  country: 'zeme stat narodnost',
  region: 'kraj region okres',
  city: 'mesto obec',
  location: 'bydliste odkud',
  email: 'telefon',
  reply: 'odpoved odpovedi reakce',
  count: 'pocet celkem',
  average: 'prumer prumerne',
  row: 'radek poradi',
  processed: 'preklad prelozeno',
  flag: 'overeno overena',
};
