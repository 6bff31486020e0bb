import type { Lexicon } from './concepts.js';

export const EN: Lexicon = {
  review: 'review reviews rev feedback testimonial opinion submission survey respondent',
  text: 'text body content comment comments message msg verbatim remark remarks snippet contents reviewtext reviewbody answer',
  title: 'title headline summary subject heading caption header',
  positive:
    'positive pros pro liked like likes advantages advantage best good strengths plus praise enjoyed enjoy love loved',
  negative:
    'negative cons con disliked dislike disadvantages disadvantage worst bad weaknesses minus complaint improve improvement improvements better hated',
  rating:
    'rating ratings rate rated score scores star stars grade grades mark marks points overall nps csat satisfaction bubbles osat experience overallexperience impression nota evaluation',
  best: 'bestrating maxrating max maximum scale outof',
  recommend:
    'recommend recommended recommends recommendation voted doRecommend recommendationid likely likelihood nps',
  aspect:
    'staff cleanliness comfort facilities money service food ambience atmosphere rooms room sleep quality wifi seat entertainment ground cabin beverages breakfast checkin accuracy communication delivery shipping price usability design performance worklife culture management career compensation benefits salary decor drinks location',
  sentiment: 'sentiment polarity mood emotion',
  language: 'language lang locale langcode languagecode',
  tag: 'tag tags category categories topic topics keyword keywords label labels genre department segment type theme themes group',
  url: 'url link uri href permalink website address page source',
  image:
    'image images img photo photos picture pictures avatar thumbnail icon thumb pic media video videos logo',
  likes:
    'likes like helpful helpfulness useful thumbs thumbsup thumbsupcount upvotes upvote votes vote found up cool agree',
  dislikes: 'dislikes downvotes unhelpful thumbsdown down funny',
  comments: 'comments comment replies',
  shares: 'shares shared retweets reposts',
  original: 'original orig raw native',
  date: 'date time datetime timestamp day when at on month year dt ts',
  written:
    'written posted published created submitted publication creation submission post publish reviewed responded completed unix recorded end',
  updated: 'updated modified edited update changed edit last',
  experience:
    'stay stayed visit visited travel traveled travelled trip experience purchase purchased order ordered checkout arrival flown flight booking dining start watched read finished playtime',
  scraped:
    'scraped scrape crawled crawl extracted extraction downloaded download fetched retrieved captured collected seen export exported import imported ingested processed query run',
  author:
    'author user reviewer guest customer username nickname nick profile client consumer commenter buyer writer member contributor traveler traveller account person screenname handle patient passenger owner by taster critic rater requester interviewee surfer poster twitter guestname',
  name: 'name displayname fullname firstname lastname surname',
  id: 'id identifier key uuid guid ref reference hash pk oid asin isbn sku number no code ticket case cid rid uid',
  place:
    'hotel restaurant product place business company app item location property venue shop store brand airline clinic hospital doctor movie film book game listing site branch outlet asin isbn sku attraction museum destination service campground object model aircraft hostel bar cafe package application seller drug medicine course university school bank car vehicle beer wine winery bookshop restaurantname manufacturer institution dealer dealership supplier carrier insurer park',
  country: 'country nationality nation countrycode',
  region: 'state province region county',
  city: 'city town hometown',
  location: 'location hometown residence from origin address lives timezone',
  email: 'email mail phone telephone ip network session device',
  reply:
    'reply replies response responses owner answer answered management developer manager replied responded merchant vendor property dev',
  parent: 'parent replyto inreplyto',
  count: 'count counts total amount qty quantity contributions level rank position',
  average: 'average avg mean aggregate',
  row: 'row index idx unnamed line level seq sequence',
  processed:
    'clean cleaned tokens tokenized lemmatized lemma stemmed processed translated translation preprocessed stopwords length len embedding vector words normalized',
  description: 'description about bio desc details job occupation position profession',
  version: 'version build os device platform release',
  joined: 'joined since member registered registration birthday birth founded',
  flag: 'is has verified anonymous active deleted hidden enabled',
};
