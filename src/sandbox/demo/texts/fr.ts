import type { Voice } from './voice.js';

/** French. */
export const FRENCH: Voice = {
  openings: {
    B: [
      'À peine rentrés de {name}, et ça nous manque déjà.',
      '{name}, c’est encore plus beau que sur les photos.',
      'Dix sur dix pour {name} !',
      'Si vous hésitez encore pour {name} : foncez.',
      'Quelle belle découverte, {name} !',
    ],
    N: [
      'Un week-end à {name}.',
      'Quelques notes sur {name}, puisqu’on me l’a demandé.',
      'Première fois à {name}.',
      'Quelqu’un est allé à {name} récemment ?',
    ],
    R: [
      'Très déçus par {name}.',
      '{name}, c’était bien mieux avant.',
      'Plus jamais {name}.',
      'Je ne comprends pas les bonnes notes de {name}.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: ['La chambre était impeccable et très calme.', 'Du balcon, on voit la mer.'],
        staff: [
          'Le personnel aide avant même qu’on demande.',
          'Dès le deuxième jour, tout le monde connaissait nos prénoms.',
        ],
        food: [
          'Rien que le petit déjeuner vaut le voyage.',
          'Le dîner en terrasse était un régal.',
        ],
        location: ['À cinq minutes de tout, et pourtant au calme.'],
      },
      N: {
        rooms: ['Les chambres sont petites, mais tout y est.'],
        staff: ['On peut arriver à partir de quinze heures.'],
        food: [
          'Le petit déjeuner est servi de sept heures à dix heures et demie.',
          'Le restaurant ferme le lundi.',
        ],
        location: ['La gare est à un quart d’heure à pied.'],
      },
      R: {
        rooms: [
          'La climatisation a fait du bruit toute la nuit.',
          'Il y avait de la moisissure dans la salle de bains.',
        ],
        staff: [
          'Personne n’a retrouvé notre réservation, et personne ne s’est excusé.',
          'Nos courriels restent sans réponse.',
        ],
        food: ['Le petit déjeuner était froid, et il n’y avait plus rien à neuf heures.'],
        location: ['La « vue mer » donne sur un parking.'],
      },
    },
    city: {
      B: {
        beaches: ['La plage est propre, large et presque vide le matin.'],
        culture: [
          'La nuit des lanternes dans le vieux quartier, c’était magique.',
          'Nous avons adoré le musée de la mer.',
        ],
        food: ['Nous n’avions pas mangé d’aussi bon poisson depuis des années.'],
        transport: ['Avec le nouveau tram, on va partout en quelques minutes.'],
      },
      N: {
        beaches: ['La plage nord est de galets, la plage sud de sable.'],
        culture: ['Le château est fermé le mardi.'],
        food: ['La plupart des cuisines ouvrent à vingt heures trente.'],
        transport: ['Le train depuis la capitale met deux heures et demie.'],
      },
      R: {
        beaches: ['La plage était pleine de déchets et personne ne vide les poubelles.'],
        culture: ['Le château était fermé sans aucune annonce.'],
        food: ['Trente euros pour un riz réchauffé.'],
        transport: [
          'Le bus n’est pas passé, trois jours de suite.',
          'Se garer est impossible, et les amendes pleuvent.',
        ],
      },
    },
  },
  comments: {
    B: ['Tout à fait d’accord, on a adoré !', 'Magnifique 😍', 'On y va en juin, vivement !'],
    N: ['C’est ouvert en novembre ?', 'Combien la nuit ?', 'Les chiens sont-ils admis ?'],
    R: [
      'Pour nous, c’était malheureusement tout le contraire.',
      'Beaucoup trop cher pour ce que c’est.',
      'J’attends mon remboursement depuis trois semaines.',
    ],
  },
  answers: {
    B: ['Merci beaucoup, toute l’équipe est ravie !', 'Merci de votre visite, à bientôt !'],
    N: [
      'Bonjour ! Les horaires et les prix sont sur notre page.',
      'Bonne question : écrivez-nous en privé avec vos dates, s’il vous plaît.',
    ],
    R: [
      'Nous sommes navrés de lire cela. Pouvez-vous nous écrire en privé avec vos dates ?',
      'Toutes nos excuses, nous regardons cela dès aujourd’hui.',
    ],
  },
  posts: {
    hotel: ['Bonjour de {name} ! Dès aujourd’hui, petit déjeuner en terrasse.'],
    city: ['Samedi, c’est la nuit des lanternes à {name}. Le programme est en ligne.'],
  },
  news: {
    hotel: {
      B: [
        ['Les clients plébiscitent {name}', 'Une enquête place le groupe en tête pour le service.'],
      ],
      N: [
        ['{name} rouvrira son hôtel du port en avril', 'Le toit est en travaux depuis l’automne.'],
      ],
      R: [
        [
          'Des clients de {name} sans chauffage',
          'Des familles se sont vu refuser un remboursement.',
        ],
      ],
    },
    city: {
      B: [
        ['{name}, plus belle petite destination', 'Les plages propres ont convaincu les lecteurs.'],
      ],
      N: [['{name} dévoile le programme des lanternes', 'Soixante rendez-vous sont prévus.']],
      R: [['Colère à {name} contre les poubelles pleines', 'Les habitants accusent la mairie.']],
    },
  },
  abouts: ['La marche, les trains et trop de café.', 'Toujours en quête de la mer.'],
};
