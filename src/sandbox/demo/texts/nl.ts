import type { Voice } from './voice.js';

/** Dutch. */
export const DUTCH: Voice = {
  openings: {
    B: [
      'Net terug van {name} en we missen het nu al.',
      '{name} is nog mooier dan op de foto’s.',
      'Een dikke tien voor {name}!',
      'Twijfel je nog over {name}? Gewoon gaan.',
    ],
    N: [
      'Een weekend {name}.',
      'Wat aantekeningen over {name}, op verzoek.',
      'Voor het eerst naar {name}.',
      'Is er iemand onlangs in {name} geweest?',
    ],
    R: [
      'Erg teleurgesteld in {name}.',
      '{name} was vroeger veel beter.',
      'Nooit meer {name}.',
      'Hoe {name} aan die goede cijfers komt, snap ik niet.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: ['De kamer was brandschoon en heerlijk rustig.'],
        staff: ['Het personeel helpt al voor je iets vraagt.'],
        food: ['Alleen al het ontbijt met warm brood is de reis waard.'],
        location: ['Vijf minuten van alles en toch stil.'],
      },
      N: {
        rooms: ['De kamers zijn klein, maar alles is er.'],
        staff: ['Inchecken kan vanaf drie uur.'],
        food: ['Ontbijt is van zeven tot half elf.'],
        location: ['Vanaf het station is het een kwartier lopen.'],
      },
      R: {
        rooms: ['De airco rammelde de hele nacht.'],
        staff: ['Niemand kon onze boeking vinden en niemand zei sorry.'],
        food: ['Het ontbijt was koud en om negen uur op.'],
        location: ['Het ‘uitzicht op zee’ is een parkeerplaats.'],
      },
    },
    city: {
      B: {
        beaches: ['Het strand is schoon, breed en ’s ochtends bijna leeg.'],
        culture: ['De lichtjesavond in de oude wijk was betoverend.'],
        food: ['Zulke goede vis hadden we in jaren niet gegeten.'],
        transport: ['Met de nieuwe tram ben je overal in een paar minuten.'],
      },
      N: {
        beaches: ['Het noordstrand is van stenen, het zuidstrand van zand.'],
        culture: ['Op dinsdag is het kasteel dicht.'],
        food: ['De meeste keukens gaan om half negen open.'],
        transport: ['De trein uit de hoofdstad doet er tweeënhalf uur over.'],
      },
      R: {
        beaches: ['Het strand lag vol afval en niemand leegt de bakken.'],
        culture: ['Het kasteel was dicht zonder dat het ergens stond.'],
        food: ['Dertig euro voor opgewarmde rijst.'],
        transport: ['De bus kwam drie dagen achter elkaar niet.'],
      },
    },
  },
  comments: {
    B: ['Helemaal mee eens, prachtig!', 'Wat mooi 😍', 'Wij gaan in juni, zin in!'],
    N: ['Is het in november open?', 'Wat kost een nacht?', 'Mogen er honden mee?'],
    R: [
      'Bij ons was het helaas precies andersom.',
      'Veel te duur voor wat je krijgt.',
      'Ik wacht al drie weken op mijn geld.',
    ],
  },
  answers: {
    B: [
      'Dank u wel, daar wordt het hele team blij van!',
      'Bedankt voor uw bezoek, tot de volgende keer!',
    ],
    N: [
      'Hallo! Tijden en prijzen staan op onze pagina.',
      'Goede vraag: stuurt u ons een privébericht met uw data?',
    ],
    R: [
      'Het spijt ons dit te lezen. Stuurt u ons een privébericht met uw data?',
      'Onze excuses, we zoeken het vandaag nog uit.',
    ],
  },
  posts: {
    hotel: ['Goedemorgen vanuit {name}! Vanaf vandaag ontbijt op het terras.'],
    city: ['Zaterdag is het lichtjesavond in {name}. Het programma staat online.'],
  },
  news: {
    hotel: {
      B: [['Gasten geven {name} het hoogste cijfer', 'In een enquête won de groep op service.']],
      N: [
        [
          '{name} opent huis aan de haven in april',
          'Sinds de herfst wordt er aan het dak gewerkt.',
        ],
      ],
      R: [['Gasten van {name} dagen zonder verwarming', 'Gezinnen kregen hun geld niet terug.']],
    },
    city: {
      B: [['{name} mooiste kleine bestemming aan zee', 'Schone stranden overtuigden de lezers.']],
      N: [['{name} maakt programma lichtjesavond bekend', 'Er zijn zestig activiteiten gepland.']],
      R: [
        ['Woede in {name} over volle afvalbakken', 'Bewoners verwijten de gemeente niets te doen.'],
      ],
    },
  },
  abouts: ['Wandelen, treinen en te veel koffie.', 'Altijd op zoek naar de zee.'],
};
