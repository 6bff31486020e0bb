import type { Lexicon } from './concepts.js';

export const ES: Lexicon = {
  review:
    'resena resenas opinion opiniones valoracion valoraciones critica criticas comentario evaluacion',
  text: 'texto comentario comentarios contenido mensaje cuerpo observaciones detalle',
  title: 'titulo titular asunto resumen encabezado',
  positive: 'positivo positivos positiva ventajas pros favor gusto mejor bueno buenos',
  negative:
    'negativo negativos negativa desventajas contras contra peor malo malos mejorar inconvenientes',
  rating:
    'puntuacion calificacion nota estrellas valoracion puntos puntaje rating clasificacion satisfaccion satisfecho satisfecha satisfechos experiencia atencion',
  best: 'maximo escala',
  recommend:
    'recomienda recomendado recomendacion recomendaria recomendar probable recomendarias recomendarnos recomiendas',
  aspect:
    'personal limpieza comodidad instalaciones servicio comida ubicacion calidad precio habitacion desayuno atencion',
  sentiment: 'sentimiento polaridad',
  language: 'idioma lengua lenguaje',
  tag: 'categoria categorias etiqueta etiquetas tema temas tipo',
  url: 'url enlace direccion pagina',
  image: 'imagen foto fotos imagenes',
  likes: 'utiles util megusta votos likes',
  date: 'fecha hora dia mes ano momento cuando temporal marca',
  written: 'publicacion publicado escrito creado creacion enviado publicada registro',
  updated: 'actualizado modificado actualizacion modificacion editado',
  experience: 'estancia viaje visita compra pedido estadia vuelo salida llegada',
  scraped: 'extraccion descarga captura extraido descargado',
  author:
    'autor autora usuario cliente huesped nombre nick opinante viajero comprador pasajero paciente alumno participante',
  name: 'nombre apellido apellidos',
  id: 'id identificador codigo numero clave',
  place:
    'hotel restaurante producto lugar empresa negocio tienda local establecimiento aerolinea sitio marca pelicula libro aplicacion curso escuela medicamento',
  country: 'pais nacionalidad',
  region: 'provincia region comunidad estado',
  city: 'ciudad localidad municipio poblacion',
  location: 'ubicacion procedencia origen residencia',
  email: 'correo telefono',
  reply: 'respuesta respuestas contestacion',
  count: 'numero cantidad total num',
  average: 'media promedio',
  row: 'fila indice',
  processed: 'traducido traduccion limpio procesado',
  flag: 'verificado verificada es',
};
