import type { Lexicon } from './concepts.js';

export const NL: Lexicon = {
  review: 'recensie recensies beoordeling beoordelingen ervaring mening',
  text: 'tekst opmerking opmerkingen inhoud bericht toelichting reactie omschrijving commentaar',
  title: 'titel kop onderwerp samenvatting',
  positive: 'positief voordelen pluspunten plus goed sterk pluspunt vond',
  negative: 'negatief nadelen minpunten min slecht zwak verbeterpunten verbeteren minpunt beter',
  rating:
    'cijfer sterren waardering score beoordeling rapportcijfer punten tevredenheid eindcijfer oordeel tevreden beoordeelt',
  best: 'maximaal schaal',
  recommend:
    'aanbeveling aanbevelen aanbevolen aanraden waarschijnlijk aanbeveelt aanbeveel waarschijnlijkheid',
  aspect:
    'personeel schoonmaak hygiene comfort faciliteiten service eten ligging kwaliteit prijs kamer ontbijt netheid levering',
  sentiment: 'sentiment stemming',
  language: 'taal taalcode',
  tag: 'categorie categorieen label onderwerpen thema soort',
  url: 'url koppeling adres pagina',
  image: 'afbeelding foto fotos plaatje',
  likes: 'nuttig behulpzaam duimpjes',
  date: 'datum tijd tijdstip dag maand jaar wanneer tijdstempel',
  written: 'geschreven geplaatst gepubliceerd aangemaakt plaatsing ingevuld ingezonden op',
  updated: 'bijgewerkt gewijzigd',
  experience: 'verblijf reis bezoek aankoop bestelling reisdatum',
  scraped: 'opgehaald geexporteerd',
  author:
    'auteur gebruiker klant gast schrijver gebruikersnaam naam reiziger koper door passagier patient deelnemer',
  name: 'naam voornaam achternaam schermnaam',
  id: 'id nummer kenmerk code sleutel',
  place: 'hotel restaurant product plaats bedrijf winkel locatie zaak vestiging artikel merk boek',
  country: 'land nationaliteit',
  region: 'provincie regio',
  city: 'stad woonplaats plaats gemeente',
  location: 'herkomst woonplaats',
  email: 'telefoon',
  reply: 'antwoord reactie antwoorden',
  count: 'aantal totaal',
  average: 'gemiddeld gemiddelde',
  row: 'rij regel volgnummer',
  processed: 'vertaling vertaald',
  flag: 'geverifieerd',
};
