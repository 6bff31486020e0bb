import type { Voice } from './voice.js';

/** Spanish. */
export const SPANISH: Voice = {
  openings: {
    B: [
      'Acabamos de volver de {name} y ya lo echamos de menos.',
      '{name} es todavía mejor que en las fotos.',
      'Tercera vez en {name} y cada año mejora.',
      'Si estáis dudando con {name}: id.',
      'Íbamos a {name} por dos noches y nos quedamos cinco.',
      'No esperaba que {name} me gustara tanto.',
      '{name} nos ha regalado un aniversario inolvidable.',
      '¡Qué descubrimiento {name}!',
      'Viajamos con dos peques y en {name} todo fueron facilidades.',
      'Un diez para {name}.',
    ],
    N: [
      'Fin de semana en {name}.',
      'Unos apuntes sobre {name} para los que preguntabais.',
      '{name} fuera de temporada: esto es lo que hay.',
      'Primera visita a {name}.',
      'De paso por {name} por trabajo.',
      '¿Alguien ha estado en {name} hace poco?',
      '{name} es más o menos lo que se ve en las fotos.',
      'Pequeña crónica desde {name}.',
      'Preparando cuatro días en {name} para primavera.',
      'De vuelta de {name}, luego subo fotos.',
    ],
    R: [
      'Muy decepcionados con {name}.',
      '{name} ya no es lo que era.',
      'No volvería a {name}.',
      'Meses esperando el viaje a {name} y menudo chasco.',
      'Aviso a navegantes sobre {name}.',
      'No entiendo las buenas notas de {name}.',
      '{name} nos ha estropeado el puente.',
      'Dos días en {name} y nos fuimos antes de tiempo.',
      'Quería que me gustara {name}, de verdad.',
      'Caro y descuidado: así está hoy {name}.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: [
          'La cama era tan cómoda que no oímos el despertador.',
          'La habitación, impecable, y el balcón daba directamente al mar.',
          'Habitaciones silenciosas y una ducha con presión de verdad.',
        ],
        staff: [
          'En recepción nos dejaron entrar a mediodía sin pedirlo.',
          'El recepcionista de noche nos acompañó a la farmacia cuando la niña tuvo fiebre.',
          'Al segundo día ya nos llamaban a todos por el nombre.',
        ],
        food: [
          'Solo el desayuno ya merece el viaje: pan caliente y buen café.',
          'La cena en la terraza fue la mejor de la semana.',
          'Me prepararon una tarta sin gluten por mi cumpleaños.',
        ],
        location: [
          'A cinco minutos de todo y aun así tranquilo.',
          'El autobús para en la puerta y el casco antiguo está a la vuelta.',
          'Aparcamos el primer día y no volvimos a tocar el coche.',
        ],
      },
      N: {
        rooms: [
          'Las habitaciones son pequeñas pero tienen lo necesario.',
          'Nos tocó una habitación en el segundo piso, al patio.',
          'Hay dos tipos de habitación; las baratas no tienen balcón.',
        ],
        staff: [
          'La entrada es a partir de las tres y había algo de cola.',
          'Hay recepción hasta medianoche; después se entra con un código.',
          'Guardan las maletas hasta las seis de la tarde.',
        ],
        food: [
          'El desayuno es bufé, de siete a diez y media.',
          'El restaurante cierra los lunes.',
          'Hay hervidor en la habitación y una tienda enfrente.',
        ],
        location: [
          'Está a unos quince minutos andando de la estación.',
          'El aparcamiento se paga aparte y hay que reservarlo.',
          'El autobús del aeropuerto tarda cuarenta minutos.',
        ],
      },
      R: {
        rooms: [
          'El aire acondicionado hizo ruido toda la noche.',
          'Había moho en el baño y la moqueta estaba húmeda.',
          'Las paredes son de papel: oíamos todo lo del vecino.',
        ],
        staff: [
          'Nadie encontraba nuestra reserva y nadie pidió perdón.',
          'Pedimos toallas tres veces.',
          'Nos cobraron el minibar dos veces y no contestan a los correos.',
        ],
        food: [
          'El desayuno, frío, y a las nueve ya no quedaba nada.',
          'Doce euros por un bocadillo todavía congelado por dentro.',
          'La cocina cerró antes de hora y no avisaron a nadie.',
        ],
        location: [
          'Las "vistas al mar" son un aparcamiento con algo azul al fondo.',
          'Hay obras debajo de la ventana desde las siete de la mañana.',
          'Está mucho más lejos del centro de lo que dice la web.',
        ],
      },
    },
    city: {
      B: {
        beaches: [
          'La playa está limpia, es ancha y hasta las once no hay nadie.',
          'Bañarse allí al atardecer no se me va a olvidar.',
          'Socorristas, duchas y sombra, y todo gratis.',
        ],
        culture: [
          'La noche de los faroles en el barrio viejo fue pura magia.',
          'Pasamos una mañana entera en el museo del mar y nos encantó.',
          'Música en cada esquina, y de la buena.',
        ],
        food: [
          'Comer en la lonja ha sido lo mejor en años.',
          'Bares pequeños, precios pequeños y tapas enormes.',
          'Probad el helado de almendra del puerto, me lo agradeceréis.',
        ],
        transport: [
          'El tranvía nuevo te lleva a todas partes en minutos.',
          'Carril bici por todo el paseo: pedaleamos cada día.',
          'Con un solo billete tienes autobús, tranvía y barquita. Perfecto.',
        ],
      },
      N: {
        beaches: [
          'La playa norte es de piedra y la sur de arena.',
          'Las hamacas se alquilan de mayo a octubre.',
          'Los chiringuitos abren solo el fin de semana.',
        ],
        culture: [
          'El castillo cierra los martes.',
          'Las visitas guiadas salen a las diez y a las cuatro de la plaza.',
          'El programa de las fiestas sale la semana que viene.',
        ],
        food: [
          'Casi todas las cocinas abren a las ocho y media.',
          'El mercado abre todas las mañanas menos el domingo.',
          'El menú del día cuesta entre doce y dieciséis euros.',
        ],
        transport: [
          'El tren desde la capital tarda dos horas y media.',
          'El tranvía funciona hasta medianoche, el sábado hasta las dos.',
          'Hay un aparcamiento disuasorio en la salida norte.',
        ],
      },
      R: {
        beaches: [
          'La playa estaba llena de basura y nadie vaciaba las papeleras.',
          'Motos de agua toda la tarde, ni un minuto de paz.',
          'Las duchas llevan semanas rotas.',
        ],
        culture: [
          'El castillo cerrado sin avisar, después de dos horas de coche.',
          'Tanta gente que solo vimos nucas.',
          'Vendieron más entradas de las que cabían en la fiesta.',
        ],
        food: [
          'Menús para turistas por todas partes, y todos malos.',
          'Pagamos treinta euros por un arroz recalentado.',
          'El camarero se rio cuando preguntamos por la carta normal.',
        ],
        transport: [
          'El autobús no pasó, tres días seguidos.',
          'Aparcar es imposible; las multas, no.',
          'El tranvía olía mal y estuvo media hora parado.',
        ],
      },
    },
  },
  comments: {
    B: [
      '¡Totalmente de acuerdo, nos encantó!',
      'Qué maravilla 😍',
      'Las mejores vacaciones que hemos tenido.',
      '¡Gracias por compartirlo!',
      'Ya tenemos reserva para junio, qué ganas.',
      'La gente de allí es un encanto.',
      'Qué buenos recuerdos ❤️',
      'Me has alegrado el día.',
    ],
    N: [
      '¿Está abierto en noviembre?',
      '¿Cuánto costaba la noche?',
      '¿En qué mes fuisteis?',
      '¿Admiten perros?',
      '¿Hay autobús desde el aeropuerto?',
      'Vamos la semana que viene, ¿algún consejo?',
      '¿Dónde está hecha la foto?',
      'Pregunto por un amigo: ¿hay aparcamiento?',
    ],
    R: [
      'A nosotros nos fue justo al revés, por desgracia.',
      'Bonita foto, lástima de servicio.',
      'Nunca más, lo siento.',
      'Y mi queja sigue sin respuesta.',
      'Cuando fuimos estaba sucísimo.',
      'Carísimo para lo que ofrecen.',
      'Arreglad primero la web de reservas, que me ha perdido la señal.',
      'Tres semanas esperando la devolución.',
    ],
  },
  answers: {
    B: [
      '¡Gracias, al equipo le hará mucha ilusión!',
      'Muchas gracias por la visita, esperamos volver a verte.',
      'Qué mensaje más bonito. ¡Hasta la próxima!',
    ],
    N: [
      '¡Hola! Tienes todos los horarios y precios en nuestra página.',
      'Buena pregunta: escríbenos un privado con tus fechas, por favor.',
      'Hola, sí, todo el año.',
    ],
    R: [
      'Sentimos leer esto. Escríbenos un privado con tus fechas, por favor.',
      'No es lo que queremos que encontréis. Ya lo hemos pasado al equipo.',
      'Te pedimos disculpas. Lo miramos hoy mismo y te decimos algo.',
    ],
  },
  posts: {
    hotel: [
      '¡Buenos días desde {name}! Hoy empiezan los desayunos en la terraza.',
      'Desde el mes que viene, bicis gratis para los huéspedes de {name}.',
      'Gana dos noches en {name}: cuéntanos tu viaje favorito.',
      'La gente de {name}: hoy Inés, once años haciendo nuestro pan.',
      '{name} estrena sala de lectura con vistas. ¡Pasad!',
    ],
    city: [
      'El sábado es la noche de los faroles en {name}. El programa ya está en la web.',
      'Reabre el paseo marítimo de {name}, con más árboles y más bancos.',
      '¿Cuál es vuestro rincón favorito de {name}? Enseñadnos fotos.',
      'Paseos guiados gratis por {name} todos los domingos de primavera.',
      'Nadar, pasear, quedarse: un puente en {name}.',
    ],
  },
  news: {
    hotel: {
      B: [
        [
          '{name}, premio regional de turismo sostenible',
          'El jurado aplaude que el grupo ahorre la mitad del agua en tres años.',
        ],
        [
          'Los clientes dan la nota más alta a {name}',
          'Una encuesta a dos mil viajeros sitúa sus hoteles como los mejores en servicio.',
        ],
      ],
      N: [
        [
          '{name} reabrirá en abril su hotel del puerto',
          'El edificio está cerrado desde otoño por obras en la cubierta.',
        ],
        [
          '{name} nombra nueva dirección de operaciones',
          'El relevo se hará efectivo a final de mes, según la empresa.',
        ],
      ],
      R: [
        [
          'Clientes de {name}, varios días sin calefacción',
          'Las familias denuncian que se les negó la devolución pese al frío.',
        ],
        [
          'Multa a {name} por falta de puertas cortafuegos',
          'La inspección halló fallos graves en dos de los hoteles.',
        ],
      ],
    },
    city: {
      B: [
        [
          '{name}, mejor destino pequeño de costa',
          'Las playas limpias y el nuevo tranvía convencen a los lectores.',
        ],
        [
          'Verano récord en {name}',
          'Hoteles y restaurantes celebran que el visitante se queda más y repite.',
        ],
      ],
      N: [
        [
          '{name} publica el programa de la fiesta de los faroles',
          'Habrá sesenta actos entre el jueves y el domingo.',
        ],
        [
          'El pleno de {name} debate la tasa turística',
          'La decisión se espera antes de que acabe la temporada.',
        ],
      ],
      R: [
        [
          'Indignación en {name} por los contenedores desbordados',
          'Los vecinos acusan al ayuntamiento de ignorar el problema desde hace meses.',
        ],
        [
          'Caos en el tranvía de {name} tras nuevas averías',
          'Miles de viajeros quedaron tirados sin que nadie les informara.',
        ],
      ],
    },
  },
  abouts: [
    'Caminar, trenes y demasiado café.',
    'Madre de dos, siempre buscando el mar.',
    'Escribo sobre hoteles pequeños y viajes lentos.',
    'Fotógrafa. Sobre todo, luz.',
    'Opiniones mías y de nadie más.',
    'Ciclista de domingo, enfermero entre semana.',
  ],
};
