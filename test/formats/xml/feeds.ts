/** Made-up feeds in the layouts of four programs, with the path of their reviews. */

export interface Feed {
  readonly records: string;
  readonly reviews: number;
  readonly text: string;
}

const LINE = '\n';

const GOOGLE: Feed = {
  records: 'feed/reviews/review',
  reviews: 3,
  text: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
    '      xsi:noNamespaceSchemaLocation="http://www.google.com/shopping/reviews/schema/product/2.4/product_reviews.xsd">',
    '  <version>2.4</version>',
    '  <publisher><name>Kettle &amp; Co</name></publisher>',
    '  <reviews>',
    ...[
      [
        '811',
        'Ingrid Vollmer',
        '2024-04-21T07:07:07Z',
        'It boils fast &amp; quietly, I use it daily.',
        '5',
      ],
      ['812', 'Bas de Wit', '2024-04-22T18:40:00+02:00', 'The lid broke off after a week.', '1'],
      ['813', 'Noor Haddad', '2024-05-02T09:00:00Z', 'Good value, though the cable is short.', '4'],
    ].map(
      ([id, name, moment, text, stars]) => `    <review>
      <review_id>${id}</review_id>
      <reviewer><name is_anonymous="false">${name}</name><reviewer_id>r${id}</reviewer_id></reviewer>
      <review_timestamp>${moment}</review_timestamp>
      <content>${text}</content>
      <pros><pro>Fast</pro><pro>Quiet</pro></pros>
      <review_url type="singleton">https://kettle.example/r/${id}</review_url>
      <ratings><overall min="1" max="5">${stars}</overall></ratings>
      <products><product><product_ids><skus><sku>K-${id}</sku></skus></product_ids><product_name>Kettle 2 l</product_name><product_url>https://kettle.example/k</product_url></product></products>
    </review>`,
    ),
    '  </reviews>',
    '</feed>',
    '',
  ].join(LINE),
};

const BAZAARVOICE: Feed = {
  records: 'Feed/Product[]/Reviews/Review',
  reviews: 3,
  text: `<?xml version="1.0" encoding="UTF-8"?>
<Feed xmlns="http://www.bazaarvoice.com/xs/PRR/StandardClientFeed/14.7" name="kettle" extractDate="2024-06-01T00:00:00.000Z">
  <Product id="P100" removed="false">
    <ExternalId>P100</ExternalId>
    <Name><![CDATA[Kettle <2 l>]]></Name>
    <Reviews>
      <Review id="5001" removed="false">
        <ModerationStatus>APPROVED</ModerationStatus>
        <UserProfileReference id="u1"><ExternalId>u1</ExternalId><DisplayName>camille</DisplayName></UserProfileReference>
        <Rating>5</Rating><RatingRange>5</RatingRange>
        <Title>Très bien</Title>
        <ReviewText>Il tient bien dans la main, et il ne goutte pas.</ReviewText>
        <DisplayLocale>fr_FR</DisplayLocale>
        <SubmissionTime>2024-05-01T10:12:00.000-05:00</SubmissionTime>
      </Review>
      <Review id="5002" removed="false">
        <ModerationStatus>APPROVED</ModerationStatus>
        <UserProfileReference id="u2"><ExternalId>u2</ExternalId><DisplayName>Jo88</DisplayName></UserProfileReference>
        <Rating>2</Rating><RatingRange>5</RatingRange>
        <Title>Loud</Title>
        <ReviewText>It wakes up the whole house every single morning.</ReviewText>
        <DisplayLocale>en_GB</DisplayLocale>
        <SubmissionTime>2024-05-03T08:00:00.000-05:00</SubmissionTime>
      </Review>
    </Reviews>
  </Product>
  <Product id="P200" removed="false">
    <ExternalId>P200</ExternalId>
    <Name>Toaster</Name>
    <Reviews>
      <Review id="5003" removed="false">
        <ModerationStatus>APPROVED</ModerationStatus>
        <UserProfileReference id="u3"><ExternalId>u3</ExternalId><DisplayName>MaraK</DisplayName></UserProfileReference>
        <Rating>4</Rating><RatingRange>5</RatingRange>
        <Title>Even toast</Title>
        <ReviewText>Both sides come out the same, which my old one never did.</ReviewText>
        <DisplayLocale>en_US</DisplayLocale>
        <SubmissionTime>2024-05-09T21:30:00.000-05:00</SubmissionTime>
      </Review>
    </Reviews>
  </Product>
</Feed>
`,
};

const JUDGEME: Feed = {
  records: 'feed/reviews/review',
  reviews: 2,
  text: `<?xml version='1.0'?>
<!-- Judge.me -->
<feed><aggregator><name>Judge.me</name></aggregator><publisher><name>Soap Shop</name></publisher>
<reviews><review><review_id>j-1</review_id><reviewer><name>Ana Prieto</name></reviewer><review_timestamp>2025-03-02T10:12:00Z</review_timestamp><title>Lovely</title><content>The cream is light and smells of almonds.</content><review_url type="group">https://soap.example/cream</review_url><ratings><overall min="1" max="5">5</overall></ratings><products><product><product_ids><mpns><mpn>C-1</mpn></mpns></product_ids><product_name>Face cream</product_name><product_url>https://soap.example/cream</product_url></product></products></review>
<review><review_id>j-2</review_id><reviewer><name>Teo Marsh</name></reviewer><review_timestamp>2025-03-04T12:00:00Z</review_timestamp><content>It left my skin dry &#38; red, I sent it back.</content><review_url type="group">https://soap.example/cream</review_url><ratings><overall min="1" max="5">1</overall></ratings><products><product><product_name>Face cream</product_name><product_url>https://soap.example/cream</product_url></product></products></review></reviews></feed>`,
};

const WORDPRESS: Feed = {
  records: 'rss/channel/item[]/comment',
  reviews: 3,
  text: `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5" -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>The Mill</title>
  <wp:wxr_version>1.2</wp:wxr_version>
  <item>
    <title><![CDATA[A weekend at the mill]]></title>
    <link>https://mill.example/weekend</link>
    <dc:creator><![CDATA[editor]]></dc:creator>
    <content:encoded><![CDATA[<p>Come and see us.</p>]]></content:encoded>
    <wp:post_id>12</wp:post_id>
    <wp:comment>
      <wp:comment_id>71</wp:comment_id>
      <wp:comment_author><![CDATA[Ruth Engel]]></wp:comment_author>
      <wp:comment_author_email><![CDATA[ruth@example.com]]></wp:comment_author_email>
      <wp:comment_date_gmt><![CDATA[2024-06-02 16:05:09]]></wp:comment_date_gmt>
      <wp:comment_content><![CDATA[We stayed two nights & slept wonderfully.]]></wp:comment_content>
      <wp:comment_approved><![CDATA[1]]></wp:comment_approved>
    </wp:comment>
    <wp:comment>
      <wp:comment_id>72</wp:comment_id>
      <wp:comment_author><![CDATA[Piet]]></wp:comment_author>
      <wp:comment_author_email><![CDATA[piet@example.com]]></wp:comment_author_email>
      <wp:comment_date_gmt><![CDATA[2024-06-03 08:15:00]]></wp:comment_date_gmt>
      <wp:comment_content><![CDATA[The breakfast was cold and the room noisy.]]></wp:comment_content>
      <wp:comment_approved><![CDATA[1]]></wp:comment_approved>
    </wp:comment>
  </item>
  <item>
    <title><![CDATA[No comments yet]]></title>
    <link>https://mill.example/none</link>
    <wp:post_id>13</wp:post_id>
  </item>
  <item>
    <title><![CDATA[The new restaurant]]></title>
    <link>https://mill.example/restaurant</link>
    <wp:post_id>14</wp:post_id>
    <wp:comment>
      <wp:comment_id>73</wp:comment_id>
      <wp:comment_author><![CDATA[Lena Ott]]></wp:comment_author>
      <wp:comment_author_email><![CDATA[lena@example.com]]></wp:comment_author_email>
      <wp:comment_date_gmt><![CDATA[2024-07-01 19:45:30]]></wp:comment_date_gmt>
      <wp:comment_content><![CDATA[Great soup, and the staff were so kind to us.]]></wp:comment_content>
      <wp:comment_approved><![CDATA[1]]></wp:comment_approved>
    </wp:comment>
  </item>
</channel>
</rss>
`,
};

export const FEEDS: Readonly<Record<string, Feed>> = {
  google: GOOGLE,
  bazaarvoice: BAZAARVOICE,
  judgeme: JUDGEME,
  wordpress: WORDPRESS,
};

/** What may stand before, between and behind elements, and is none of them. */
const BETWEEN =
  '<!-- <review>no</review> -->\n<![CDATA[<review> & ]] ]]>\r\n<?keep <review> ?>\ntext > text';

const withOthers = (...elements: string[]): string => ['', ...elements, ''].join(BETWEEN);

const product = (name: string, ...reviews: string[]): string => {
  const inside = reviews.map((id) => `<review>${withOthers(`<id>${id}</id>`)}</review>`);
  return `<p><name>${name}</name>${withOthers(`<reviews>${withOthers(...inside)}</reviews>`)}</p>`;
};

/** Reviews with comments, CDATA sections, instructions and text around all that is around them. */
export const SECTIONS: string = withOthers(
  `<feed>${withOthers(product('a', '1', '2'), product('b', '3'))}</feed>`,
);
