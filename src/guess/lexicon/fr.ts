import type { Lexicon } from './concepts.js';

export const FR: Lexicon = {
  review: 'avis critique critiques commentaire evaluation evaluations temoignage retour',
  text: 'texte commentaire commentaires contenu message corps remarque remarques verbatim',
  title: 'titre objet resume sujet',
  positive: 'positif positifs avantages aime forts bien apprecie',
  negative:
    'negatif negatifs inconvenients defauts moins mal ameliorer amelioration ameliorations deplu faibles',
  rating:
    'note notes etoiles score evaluation notation satisfaction appreciation satisfait satisfaite satisfaits globale',
  best: 'max bareme echelle',
  recommend:
    'recommande recommandation recommander recommanderiez recommanderais recommandez probabilite probable',
  aspect:
    'personnel proprete confort equipements service cuisine emplacement qualite prix rapport chambre accueil cadre ambiance livraison',
  sentiment: 'sentiment polarite',
  language: 'langue langage',
  tag: 'categorie categories etiquette etiquettes theme themes type',
  url: 'url lien adresse page',
  image: 'image photo photos images',
  likes: 'utile utiles votes jaime',
  date: 'date heure jour mois annee quand horodatage',
  written: 'publication publie redige ecrit cree creation depot depose publiee',
  updated: 'modifie modification miseajour',
  experience: 'sejour visite voyage achat commande experience',
  scraped: 'extraction recupere telecharge collecte',
  author:
    'auteur auteure utilisateur client pseudo pseudonyme voyageur redacteur internaute visiteur acheteur passager eleve patient participant',
  name: 'nom prenom',
  id: 'id identifiant numero code cle ref',
  place:
    'hotel restaurant produit lieu etablissement entreprise magasin societe boutique article marque livre film cours medicament enseigne agence',
  country: 'pays nationalite',
  region: 'region departement',
  city: 'ville commune',
  location: 'provenance localisation origine',
  email: 'courriel telephone mel',
  reply: 'reponse reponses',
  count: 'nb total',
  average: 'moyenne moyen',
  row: 'ligne indice',
  processed: 'traduit traduction nettoye',
  flag: 'verifie est',
};
