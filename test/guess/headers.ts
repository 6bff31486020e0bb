/**
 * Headers as booking sites, shops, app stores, scrapers and surveys write them, each column with the
 * kind of its values, and which column has to serve which purpose.
 */
import type { Role } from '../../src/guess/propose/candidate.js';

/** Kinds of values, made in headers.test.ts. */
export type Kind =
  | 'text'
  | 'short'
  | 'title'
  | 'person'
  | 'uuid'
  | 'userId'
  | 'productId'
  | 'rows'
  | 'serial'
  | 'five'
  | 'halves'
  | 'ten'
  | 'average'
  | 'hundred'
  | 'votes'
  | 'big'
  | 'bool'
  | 'plusMinus'
  | 'iso'
  | 'isoTime'
  | 'us'
  | 'dmy'
  | 'long'
  | 'month'
  | 'ago'
  | 'seconds'
  | 'millis'
  | 'place'
  | 'city'
  | 'country'
  | 'nation'
  | 'language'
  | 'url'
  | 'pageUrl'
  | 'image'
  | 'version'
  | 'topic'
  | 'reply'
  | 'replyDate'
  | 'scraped'
  | 'gender'
  | 'age'
  | 'blank'
  | 'positive'
  | 'constant'
  | 'coordinate';

/** One layout: name, columns as `name:kind`, and the column of each role. */
export interface Header {
  readonly name: string;
  readonly columns: readonly string[];
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Roles that no column may have. */
  readonly none?: readonly Role[];
}

export const HEADERS: readonly Header[] = [
  {
    name: 'fine food set',
    columns:
      'Id:rows ProductId:productId UserId:userId ProfileName:person HelpfulnessNumerator:votes HelpfulnessDenominator:votes Score:five Time:seconds Summary:title Text:text'.split(
        ' ',
      ),
    roles: {
      text: 'Text',
      title: 'Summary',
      score: 'Score',
      published: 'Time',
      authorId: 'UserId',
      username: 'ProfileName',
    },
    none: ['sourceId'],
  },
  {
    name: 'app store scraper',
    columns:
      'reviewId:uuid userName:person userImage:image content:text score:five thumbsUpCount:votes reviewCreatedVersion:version at:isoTime replyContent:reply repliedAt:replyDate appVersion:version'.split(
        ' ',
      ),
    roles: {
      sourceId: 'reviewId',
      username: 'userName',
      text: 'content',
      score: 'score',
      likes: 'thumbsUpCount',
      published: 'at',
    },
    none: ['url', 'title'],
  },
  {
    name: 'European hotels',
    columns:
      'Hotel_Address:place Additional_Number_of_Scoring:big Review_Date:us Average_Score:average Hotel_Name:place Reviewer_Nationality:nation Negative_Review:text Review_Total_Negative_Word_Counts:big Total_Number_of_Reviews:big Positive_Review:text Review_Total_Positive_Word_Counts:big Total_Number_of_Reviews_Reviewer_Has_Given:votes Reviewer_Score:ten Tags:topic days_since_review:ago lat:coordinate lng:coordinate'.split(
        ' ',
      ),
    roles: {
      positive: 'Positive_Review',
      negative: 'Negative_Review',
      score: 'Reviewer_Score',
      published: 'Review_Date',
      place: 'Hotel_Name',
      country: 'Reviewer_Nationality',
      tags: 'Tags',
    },
    none: ['sourceId', 'username'],
  },
  {
    name: 'airline site',
    columns:
      'airline_name:place link:pageUrl title:title author:person author_country:nation date:iso content:text aircraft:topic type_traveller:topic cabin_flown:topic route:short overall_rating:ten seat_comfort_rating:five cabin_staff_rating:five food_beverages_rating:five value_money_rating:five recommended:bool'.split(
        ' ',
      ),
    roles: {
      text: 'content',
      title: 'title',
      username: 'author',
      country: 'author_country',
      published: 'date',
      score: 'overall_rating',
      place: 'airline_name',
    },
    // The page of the airline, and not of a review.
    none: ['url'],
  },
  {
    name: 'employers',
    columns:
      'firm:place date_review:iso job_title:topic current:topic location:city overall_rating:five work_life_balance:five culture_values:five career_opp:five comp_benefits:five senior_mgmt:five recommend:topic headline:title pros:text cons:text'.split(
        ' ',
      ),
    roles: {
      positive: 'pros',
      negative: 'cons',
      title: 'headline',
      score: 'overall_rating',
      published: 'date_review',
    },
    none: ['username'],
  },
  {
    name: 'newer restaurant set',
    columns:
      'review_id:uuid user_id:userId business_id:productId stars:halves useful:votes funny:votes cool:votes text:text date:isoTime'.split(
        ' ',
      ),
    roles: {
      sourceId: 'review_id',
      authorId: 'user_id',
      text: 'text',
      score: 'stars',
      published: 'date',
      likes: 'useful',
    },
  },
  {
    name: 'travel site scraper',
    columns:
      'id:serial lang:language publishedDate:iso publishedPlatform:topic rating:five text:text title:title travelDate:month tripType:topic url:url user/name:person user/userLocation/name:city user/avatar/image:image placeInfo/name:place placeInfo/rating:average ownerResponse/text:reply ownerResponse/publishedDate:replyDate'.split(
        ' ',
      ),
    roles: {
      sourceId: 'id',
      language: 'lang',
      published: 'publishedDate',
      score: 'rating',
      text: 'text',
      title: 'title',
      url: 'url',
      username: 'user/name',
      experienced: 'travelDate',
    },
  },
  {
    name: 'map scraper',
    columns:
      'title:place name:person text:text textTranslated:text publishAt:ago publishedAtDate:isoTime likesCount:votes reviewId:uuid reviewUrl:url reviewerId:userId reviewerUrl:url reviewerPhotoUrl:image reviewerNumberOfReviews:big isLocalGuide:bool stars:five responseFromOwnerText:reply responseFromOwnerDate:replyDate placeId:productId totalScore:average categoryName:topic city:city countryCode:country scrapedAt:scraped'.split(
        ' ',
      ),
    roles: {
      text: 'text',
      username: 'name',
      published: 'publishedAtDate',
      likes: 'likesCount',
      sourceId: 'reviewId',
      url: 'reviewUrl',
      authorId: 'reviewerId',
      score: 'stars',
      downloaded: 'scrapedAt',
    },
  },
  {
    name: 'hotel site scraper',
    columns:
      'id:serial hotelId:productId reviewDate:isoTime userName:person userLocation:country roomInfo:topic stayDate:month stayLength:topic reviewTitle:title rating:ten likedText:text dislikedText:text checkInDate:iso checkOutDate:iso travelerType:topic propertyResponse:reply'.split(
        ' ',
      ),
    roles: {
      sourceId: 'id',
      published: 'reviewDate',
      username: 'userName',
      title: 'reviewTitle',
      score: 'rating',
      positive: 'likedText',
      negative: 'dislikedText',
    },
  },
  {
    name: 'clothes',
    columns: [
      ':rows',
      'Clothing ID:productId',
      'Age:age',
      'Title:title',
      'Review Text:text',
      'Rating:five',
      'Recommended IND:plusMinus',
      'Positive Feedback Count:votes',
      'Division Name:topic',
      'Department Name:topic',
      'Class Name:topic',
    ],
    roles: { title: 'Title', text: 'Review Text', score: 'Rating' },
    none: ['sourceId', 'username', 'published'],
  },
  {
    name: 'Brazilian shop',
    columns:
      'submission_date:isoTime reviewer_id:userId product_id:productId product_name:place product_brand:topic site_category_lv1:topic review_title:title overall_rating:five recommend_to_a_friend:bool review_text:text reviewer_birth_year:age reviewer_gender:gender reviewer_state:topic'.split(
        ' ',
      ),
    roles: {
      published: 'submission_date',
      authorId: 'reviewer_id',
      title: 'review_title',
      score: 'overall_rating',
      text: 'review_text',
    },
    none: ['sourceId'],
  },
  {
    name: 'Brazilian marketplace',
    columns:
      'review_id:uuid order_id:uuid review_score:five review_comment_title:title review_comment_message:text review_creation_date:isoTime review_answer_timestamp:replyDate'.split(
        ' ',
      ),
    roles: {
      sourceId: 'review_id',
      score: 'review_score',
      title: 'review_comment_title',
      text: 'review_comment_message',
      published: 'review_creation_date',
    },
  },
  {
    name: 'reviews of a company, downloaded by itself',
    columns: [
      'Review Id:uuid',
      'Review Created (UTC):isoTime',
      'Review Consumer User Id:userId',
      'Review Title:title',
      'Review Content:text',
      'Review Stars:five',
      'Source Of Review:topic',
      'Review Language:language',
      'Domain URL:pageUrl',
      'Company Reply Date (UTC):replyDate',
      'Company Reply Text:reply',
      'Consumer Name:person',
    ],
    roles: {
      sourceId: 'Review Id',
      published: 'Review Created (UTC)',
      authorId: 'Review Consumer User Id',
      title: 'Review Title',
      text: 'Review Content',
      score: 'Review Stars',
      language: 'Review Language',
      username: 'Consumer Name',
    },
  },
  {
    name: 'German shop',
    columns: [
      'Bewertungs-ID:uuid',
      'Bestellnummer:serial',
      'Bewertungsdatum:dmy',
      'Bestelldatum:dmy',
      'Gesamtnote:five',
      'Kundenname:person',
      'Kommentar:text',
      'Antwort:reply',
      'Filiale:city',
    ],
    roles: {
      sourceId: 'Bewertungs-ID',
      published: 'Bewertungsdatum',
      score: 'Gesamtnote',
      username: 'Kundenname',
      text: 'Kommentar',
    },
  },
  {
    name: 'French sites',
    columns: [
      "Date de l'avis:dmy",
      'Date de séjour:month',
      'Auteur:person',
      'Pays:nation',
      'Note globale:ten',
      'Titre:title',
      'Points positifs:text',
      'Points négatifs:text',
      "Réponse de l'établissement:reply",
    ],
    roles: {
      published: "Date de l'avis",
      username: 'Auteur',
      country: 'Pays',
      score: 'Note globale',
      title: 'Titre',
      positive: 'Points positifs',
      negative: 'Points négatifs',
    },
  },
  {
    name: 'Spanish restaurant',
    columns: [
      'usuario:person',
      'fecha_opinion:long',
      'fecha_visita:month',
      'puntuacion:five',
      'titulo:title',
      'comentario:text',
      'respuesta:reply',
      'ciudad:city',
      'restaurante:place',
    ],
    roles: {
      username: 'usuario',
      published: 'fecha_opinion',
      score: 'puntuacion',
      title: 'titulo',
      text: 'comentario',
      city: 'ciudad',
      place: 'restaurante',
    },
  },
  {
    name: 'Czech shop',
    columns: [
      'ID recenze:uuid',
      'Zákazník:person',
      'Hodnocení:five',
      'Klady:text',
      'Zápory:text',
      'Shrnutí:title',
      'Datum přidání:dmy',
      'Datum nákupu:dmy',
      'Produkt:place',
    ],
    roles: {
      sourceId: 'ID recenze',
      username: 'Zákazník',
      score: 'Hodnocení',
      positive: 'Klady',
      negative: 'Zápory',
      published: 'Datum přidání',
    },
  },
  {
    name: 'Dutch site',
    columns: [
      'beoordeling_id:uuid',
      'naam:person',
      'woonplaats:city',
      'datum:dmy',
      'cijfer:ten',
      'titel:title',
      'recensie:text',
      'reactie_eigenaar:reply',
      'zou aanbevelen:bool',
    ],
    roles: {
      sourceId: 'beoordeling_id',
      username: 'naam',
      published: 'datum',
      score: 'cijfer',
      title: 'titel',
      text: 'recensie',
    },
  },
  {
    name: 'Portuguese site',
    columns: [
      'código:uuid',
      'nome do cliente:person',
      'data da avaliação:dmy',
      'data da compra:dmy',
      'estrelas:five',
      'avaliação:text',
      'produto:place',
    ],
    roles: {
      username: 'nome do cliente',
      published: 'data da avaliação',
      score: 'estrelas',
      text: 'avaliação',
    },
  },
  {
    name: 'a text and its sentiment',
    columns: 'review:text sentiment:positive'.split(' '),
    roles: { text: 'review', sentiment: 'sentiment' },
    none: ['score', 'published', 'sourceId'],
  },
  {
    name: 'a table with texts that were worked on',
    columns:
      'index:rows review_text:text clean_text:text text_length:big rating:five label:plusMinus reviewer:person date:long'.split(
        ' ',
      ),
    roles: { text: 'review_text', score: 'rating', username: 'reviewer', published: 'date' },
    none: ['sourceId'],
  },
  {
    name: 'structured data of pages',
    columns:
      '@type:constant author.@type:constant author.name:person datePublished:iso name:title reviewBody:text reviewRating.@type:constant reviewRating.ratingValue:five reviewRating.bestRating:constant itemReviewed.name:place'.split(
        ' ',
      ),
    roles: {
      username: 'author.name',
      published: 'datePublished',
      text: 'reviewBody',
      score: 'reviewRating.ratingValue',
    },
  },
  {
    name: 'business profile',
    columns:
      'name:uuid reviewId:uuid reviewer.displayName:person reviewer.profilePhotoUrl:image starRating:five comment:text createTime:isoTime updateTime:isoTime reviewReply.comment:reply reviewReply.updateTime:replyDate'.split(
        ' ',
      ),
    roles: {
      sourceId: 'reviewId',
      username: 'reviewer.displayName',
      score: 'starRating',
      text: 'comment',
      published: 'createTime',
    },
  },
  {
    name: 'books',
    columns:
      'user_id:userId book_id:productId review_id:uuid rating:five review_text:text date_added:long date_updated:long read_at:long started_at:long n_votes:votes n_comments:votes'.split(
        ' ',
      ),
    roles: {
      authorId: 'user_id',
      sourceId: 'review_id',
      score: 'rating',
      text: 'review_text',
      published: 'date_added',
    },
  },
];
