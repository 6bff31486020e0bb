// @ts-check
/** The same in other European languages. Lines: + praise, - complaint, = neither, ~ wish, * title, ! a word or two, @ names. */

/** About stays; French about doctors, courses and games has lists of its own. */
const fr = `
@ Camille R., Jean-Marc, lulu_du_38, Nadia B., Mme Perrin, Théo L., Sylvie, Hugo Castan, Inès M., papi_roger, Aurélie D., Karim Z., Élodie, Bastien
+ Accueil chaleureux et conseils précieux pour nos randonnées.
+ La chambre donnait sur le jardin, on n'entendait que les oiseaux.
+ Les lits sont excellents et la salle de bain toute neuve.
+ Le petit-déjeuner maison vaut à lui seul le détour.
+ Nous étions à {n} minutes de la plage à pied.
+ Très bon rapport qualité-prix, nous reviendrons avec plaisir.
+ Le personnel est souriant, même en fin de journée.
+ On nous a prêté une poussette et un lit pour bébé.
+ Une équipe à l'écoute, cela change tout.
- La chambre n'était pas prête à notre arrivée, sans la moindre excuse.
- Les draps étaient tachés et la moquette collante.
- Le chauffage ne marchait pas et la salle de bain était glaciale.
- On m'a facturé {n}0 euros de plus que prévu.
- Impossible de joindre quelqu'un au téléphone.
- Le parking est minuscule et toujours plein.
- Les murs sont en papier, on entend tout des voisins.
- Les photos sur le site sont trompeuses.
= C'est correct, sans plus.
= Il y a du bon et du moins bon.
= Rien de particulier à signaler.
*+ Une belle découverte
*+ Au top
*+ Je recommande vivement
*- À fuir
*- Très déçue
*- Plus jamais
!+ Parfait
!+ Rien à redire
!- Décevant
!- Trop cher
`;

const frSoins = `
@ Camille R., Jean-Marc, lulu_du_38, Nadia B., Mme Perrin, Théo L., Sylvie, Hugo Castan, Inès M., papi_roger, Karim Z.
+ Le praticien prend le temps d'expliquer chaque geste.
+ Les locaux sont propres, lumineux et faciles d'accès.
+ J'ai obtenu un rendez-vous en {n} jours, ce qui est rare.
+ On m'a rappelée le lendemain pour savoir si tout allait bien.
+ Très douce avec mon fils qui a peur des piqûres.
+ Diagnostic clair, sans jargon, et une vraie écoute.
+ La secrétaire a trouvé un créneau le jour même.
+ Aucun dépassement d'honoraires, c'est appréciable.
- Une heure de retard sans la moindre excuse.
- La secrétaire raccroche au nez des gens.
- Consultation expédiée en {n} minutes, je n'ai rien compris.
- Il n'a pas levé les yeux de son écran.
- Salle d'attente bondée et fenêtres fermées.
- Rendez-vous annulé la veille par un simple message.
- Honoraires exorbitants et non affichés.
= Correct, mais je chercherai plus près.
!+ Parfait
!+ À l'écoute
!- Décevant
!- À éviter
`;

const frCours = `
@ Camille R., Nadia B., Théo L., Inès M.
+ Les exemples venaient tous de notre métier.
+ Les exercices sont bien dosés et vraiment utiles.
+ Le formateur répond à toutes les questions sans jamais s'impatienter.
+ Un groupe de {n} personnes, chacun a pu parler.
+ Le support est clair et je m'en sers déjà au bureau.
+ Très bonne ambiance, on apprend aussi des autres.
- Trop de théorie, pas assez de pratique.
- Le contenu ne correspond pas du tout au programme annoncé.
- Le vidéoprojecteur est tombé en panne {n} fois.
- La salle était glaciale et sans fenêtre.
- Deux jours, c'est beaucoup trop court.
= C'était à peu près ce que j'attendais.
~ Prévoir des groupes plus petits.
~ Ouvrir une session le samedi matin.
~ Envoyer les supports avant le premier jour.
~ Mieux indiquer l'entrée depuis la gare.
~ Ajouter une pause au milieu de l'après-midi.
~ Donner un exercice à faire chez soi.
~ Proposer une suite pour ceux qui ont déjà les bases.
~ Moins de diapositives et plus de démonstrations.
!+ Les exercices
!- Le rythme
`;

const frJeu = `
@ kiki
+ Une direction artistique à tomber et une histoire qui m'a tenu jusqu'au bout.
+ Je n'avais plus joué des nuits entières depuis dix ans.
+ En coop avec ma sœur, on a ri pendant {n} heures.
+ La bande-son est magnifique, le reste aussi.
- Le jeu plante à chaque chargement depuis la mise à jour.
- Traduction bâclée, la moitié des menus est restée en anglais.
- Remboursé au bout de {n} minutes.
- Les ennemis apparaissent dans les murs.
= Attendez une promotion.
!+ Chef-d'œuvre
!- Injouable
`;

const deSpiel = `
@ kiki
+ Endlich wieder ein Aufbauspiel, in dem man sich verlieren kann.
+ Läuft auch auf meinem alten Rechner flüssig.
+ Nach {n} Stunden entdecke ich immer noch Neues.
+ Die Musik geht mir nicht mehr aus dem Kopf, im besten Sinn.
- Seit dem letzten Update stürzt es beim Speichern ab.
- Die Steuerung mit der Maus ist eine Zumutung.
- Für den halben Inhalt soll man extra bezahlen.
- Nach {n} Stunden hat man alles gesehen.
= Zu zweit ganz nett, allein eher zäh.
!+ Großartig
!- Finger weg
`;

const es = `
@ Lucía G., Paco Moreno, marta_1979, Iñaki, Rosario V., Andrés P., Nuria, Joaquín Ll., Begoña S., elviajero, Carmen R., Óscar D., Pilar
+ La habitación era amplia y tenía vistas al mar.
+ El personal nos recibió con una sonrisa y un zumo frío.
+ El desayuno es variado, con fruta fresca y pan del día.
+ Está a {n} minutos a pie del centro histórico.
+ La terraza al atardecer no tiene precio.
+ Nos guardaron las maletas hasta la noche sin cobrarnos nada.
+ Las camas son comodísimas y no se oye ni un ruido.
+ La piscina estaba limpia y casi siempre vacía.
+ La dueña cocina de maravilla y nos explicó sus recetas.
+ Resolvieron el problema el mismo día.
- El aire acondicionado goteaba toda la noche.
- Esperamos más de {n}0 minutos para que nos atendieran.
- Las toallas olían a humedad.
- El precio no se corresponde con lo que ofrecen.
- La wifi se cortaba cada dos por tres.
- Había obras al lado y nadie nos avisó.
- La comida llegó fría y sin sal.
- No hay aparcamiento y la calle es peligrosa de noche.
- Nadie contesta a los correos.
= Normal, para una noche está bien.
= Ni bueno ni malo, lo justo.
= Esperaba un poco más, pero cumple.
~ Que abran la piscina más temprano.
~ Pondría más enchufes junto a las mesas.
~ Estaría bien poder cenar también en la terraza.
~ Mejorar la limpieza de los vestuarios.
~ Bajar un poco la música.
~ Contestar antes a los mensajes.
*+ Volveremos seguro
*+ Un acierto
*+ Trato inmejorable
*- No repetimos
*- Una decepción
*- Muy caro para lo que es
!+ Genial
!+ Todo perfecto
!- Fatal
!- Muy ruidoso
`;

const de = `
@ Sabine K., Jürgen, M. Oberhauser, anna.w, Thorsten B., Frau Lindner, Yusuf A., Heike, Familie Brandt, wanderfritz, Jana S., Uwe D., Björn
+ Das Zimmer war ruhig, sauber und gemütlich eingerichtet.
+ Zum Frühstück gab es frische Brötchen und selbst gemachte Marmelade.
+ Die Wandertipps der Gastgeberin waren Gold wert.
+ Vom Balkon aus sieht man bis zu den Bergen.
+ In {n} Minuten ist man zu Fuß am See.
+ Der Bus vom Bahnhof holte uns auf die Minute pünktlich ab.
+ Die kaputte Lampe wurde noch am selben Abend getauscht.
+ Man kommt mit dem Kinderwagen überallhin.
+ Auch mit Hund waren wir sofort willkommen.
+ Die Sauna ist klein, aber tadellos gepflegt.
- Die Matratze war durchgelegen und quietschte bei jeder Bewegung.
- Wir haben {n}0 Minuten in der Warteschleife gehangen.
- Im Bad roch es nach Abfluss.
- Die Rechnung stimmte auch beim zweiten Versuch nicht.
- Das WLAN reichte kaum für eine Nachricht.
- Der Ton an der Rezeption war unverschämt.
- Für diesen Preis hätten wir mehr erwartet.
- Die Wände sind so dünn, dass man jedes Wort hört.
- Der Aufzug war die ganze Woche außer Betrieb.
= Für eine Nacht in Ordnung.
= Durchschnitt, mehr nicht.
= Weder besonders gut noch besonders schlecht.
~ Mehr Personal am Wochenende.
~ Bitte die Öffnungszeiten im Netz anpassen.
~ Ein Wasserkocher auf dem Zimmer wäre schön.
~ Längere Öffnungszeiten am Abend.
~ Die Buchung sollte sich online ändern lassen.
~ Ein paar Haken mehr im Bad.
*+ Rundum zufrieden
*+ Gerne wieder
*+ Ein echter Geheimtipp
*- Einmal und nie wieder
*- Leider enttäuscht
*- Nicht zu empfehlen
!+ Alles bestens
!+ Die Lage
!- Zu laut
!- Das Bad
`;

const pt = `
@ Tiago F., Mariana, dona_lurdes, João P., Beatriz C., Rui, Inês A., Vasco M., Helena, zé_do_porto, Catarina L., Nuno S.
+ O bacalhau estava no ponto e a dose dá para dois.
+ Fomos recebidos como família, com um copo de vinho da casa.
+ A sobremesa de amêndoa é de chorar por mais.
+ Serviço rápido, mesmo com a sala cheia.
+ A vista sobre o rio vale a viagem.
+ Preços honestos para a qualidade que têm.
+ O empregado explicou-nos cada prato com gosto.
+ Reservámos {n} mesas e estava tudo pronto à hora.
- Esperámos {n}0 minutos por um café.
- A carne veio fria e dura como sola.
- Cobraram o couvert que não pedimos.
- A mesa abanava e ninguém se importou.
- Muito barulho, não se consegue conversar.
- O peixe não era fresco, notava-se pelo cheiro.
- Já não aceitam cartão e só avisam no fim.
= Nada de especial, mas come-se.
= Razoável para um almoço rápido.
*+ Uma maravilha
*+ Melhor do bairro
*+ A repetir
*- Não volto
*- Caro e fraco
*- Já foi bom
!+ Excelente
!+ A comida
!- O preço
!- Demorado
`;

const it = `
@ Giulia M., Salvo, Chiara_90, Sig. Ferri, Beppe, Federica T., Nicolò, Antonella, Davide R., mammadidue, Ornella, Luca P.
+ Consegna puntuale e imballaggio curato nei dettagli.
+ Personale gentile, mi hanno consigliato il modello giusto.
+ Lo uso da {n} mesi e funziona come il primo giorno.
+ Ottimo rapporto tra qualità e prezzo.
+ Il rimborso è arrivato in due giorni, senza discussioni.
+ La stoffa è morbida e non scolorisce.
+ Montaggio semplice, le istruzioni sono chiare.
+ Il sito è facile da usare anche per mia nonna.
- Il pacco è arrivato aperto e mancavano dei pezzi.
- Aspetto il rimborso da {n} settimane.
- Il servizio clienti non risponde mai.
- La taglia non corrisponde alla tabella.
- Si è rotto al secondo utilizzo.
- Colore completamente diverso dalla foto.
- Spese di spedizione assurde.
= Niente di eccezionale, ma fa il suo dovere.
= Nella media.
= Ancora non saprei dire.
!+ Ottimo
!+ Consigliatissimo
!- Pessimo
!- Una delusione
`;

const pl = `
@ Kasia, Marek W., zosia88, Pan Tadeusz, Grażyna, Łukasz B., Ewelina, Paweł Ś., Bożena, żeglarz, Michał K., Agnieszka
+ Bardzo solidne wykonanie, nic nie trzeszczy.
+ Przesyłka dotarła następnego dnia, świetnie zapakowana.
+ Używam od {n} miesięcy i jestem bardzo zadowolona.
+ Cichy, lekki i łatwy w czyszczeniu.
+ Bateria trzyma naprawdę długo.
+ Żona twierdzi, że to najlepszy zakup w tym roku.
+ Za tę cenę nie znajdzie się nic lepszego.
+ Obsługa sklepu odpowiada błyskawicznie.
- Po tygodniu przestał się włączać.
- Instrukcja tylko po chińsku.
- Głośny jak odkurzacz mojej babci.
- Kolor zupełnie inny niż na zdjęciu.
- Zwrot pieniędzy trwał {n} tygodni.
- Plastik śmierdzi i łatwo się rysuje.
- Kabel jest o wiele za krótki.
= Produkt przeciętny, bez szału.
= Ujdzie, ale spodziewałem się więcej.
~ solidne wykonanie
~ niska cena
~ długi czas pracy
~ cicha praca
~ ładny wygląd
^ krótki kabel
^ głośna praca
^ słaba bateria
^ brak instrukcji
^ rysujący się plastik
!+ Polecam!
!+ Super
!- Odradzam
!- Szkoda pieniędzy
`;

export const european = { fr, frSoins, frCours, frJeu, deSpiel, es, de, pt, it, pl };
