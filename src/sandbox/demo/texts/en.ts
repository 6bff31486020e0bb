import type { Voice } from './voice.js';

/** English. */
export const ENGLISH: Voice = {
  openings: {
    B: [
      'Just back from {name} and already missing it.',
      '{name} turned out even better than the photos.',
      'Our third visit to {name}, and it keeps getting better.',
      'If you are still thinking about {name}: go.',
      'We came to {name} for two nights and stayed for five.',
      'Honestly did not expect to love {name} this much.',
      '{name} made our anniversary.',
      'What a find {name} is!',
      'Travelling with two small kids, and {name} was a joy.',
      'Ten out of ten for {name}.',
    ],
    N: [
      'A weekend, and a first look at {name}.',
      'Some notes on {name} for those who asked.',
      '{name} out of season: here is what to expect.',
      'We had never seen {name} before.',
      'Passing through {name} on a work trip.',
      'Has anybody been to {name} lately?',
      '{name} is about what you would guess from the pictures.',
      'A short report from {name}.',
      'Still deciding on {name} for spring.',
      'Back from {name}, photos to follow.',
    ],
    R: [
      'Really disappointed by {name}.',
      '{name} used to be so much better.',
      'Would not go back to {name}.',
      'We had looked forward to {name} for months. What a let-down.',
      'Fair warning about {name}.',
      'Not sure how {name} gets such good ratings.',
      '{name} ruined our long weekend.',
      '{name}: two days, and we left early.',
      'I wanted to like {name}, I really did.',
      'Overpriced and tired: that is {name} today.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: [
          'The bed was so comfortable that we slept through the alarm.',
          'Our room was spotless, and the balcony looked straight over the water.',
          'Quiet rooms, thick curtains, a shower with real pressure.',
        ],
        staff: [
          'Reception let us in at noon without our even asking.',
          'The night porter walked us to the pharmacy when our daughter had a fever.',
          'Everyone remembered our names by the second day.',
        ],
        food: [
          'The breakfast alone is worth the trip: warm bread and proper coffee.',
          'Dinner on the terrace was the best meal of the week.',
          'They baked a gluten-free cake for my birthday.',
        ],
        location: [
          'You are five minutes from everything, and still it is quiet.',
          'The bus stops at the door and the old town is around the corner.',
          'We parked on the first day and never needed the car again.',
        ],
      },
      N: {
        rooms: [
          'The rooms are small but have everything that is needed.',
          'We had a room on the second floor, facing the yard.',
          'There are two kinds of rooms, and the cheaper ones have no balcony.',
        ],
        staff: [
          'Check-in is from three and there was a short queue.',
          'The desk is staffed until midnight, then you use a code.',
          'They hold your luggage until six in the evening.',
        ],
        food: [
          'Breakfast is a buffet from seven to half past ten.',
          'The restaurant is closed on Mondays.',
          'There is a kettle in the room and a shop across the street.',
        ],
        location: [
          'It is about fifteen minutes on foot from the station.',
          'Parking costs extra and has to be booked.',
          'The airport bus takes forty minutes and runs every half hour.',
        ],
      },
      R: {
        rooms: [
          'The air conditioning rattled all night.',
          'There was mould in the bathroom, and the carpet was damp.',
          'The walls are so thin that we heard every word from next door.',
        ],
        staff: [
          'Nobody at the desk could find our booking, and nobody said sorry.',
          'We asked for towels three times.',
          'They charged the minibar twice and do not answer e-mails.',
        ],
        food: [
          'Breakfast was cold and gone by nine.',
          'Twelve euros for a sandwich that was still frozen inside.',
          'The kitchen closed early and did not bother to tell anyone.',
        ],
        location: [
          'The "sea view" is a car park with some blue behind it.',
          'There is a building site right below the windows from seven in the morning.',
          'It is much farther from the centre than the website claims.',
        ],
      },
    },
    city: {
      B: {
        beaches: [
          'The beach is clean, wide and half empty before eleven.',
          'Swimming there at sunset is something I will not forget.',
          'Lifeguards, showers, shade: it is all there and all free.',
        ],
        culture: [
          'The lantern night in the old quarter was pure magic.',
          'We spent a whole morning in the maritime museum and loved it.',
          'Street music on every corner, and really good.',
        ],
        food: [
          'The fish market lunch is the best I have had in years.',
          'Little bars, tiny prices, wonderful tapas.',
          'Try the almond ice cream by the harbour, you will thank me.',
        ],
        transport: [
          'The new tram takes you everywhere in minutes.',
          'Bike lanes all along the sea front: we cycled every day.',
          'One day ticket covers bus, tram and the little ferry. Perfect.',
        ],
      },
      N: {
        beaches: [
          'The north beach is stony, the south one is sand.',
          'Sun beds are let from May to October.',
          'The beach bars open at the weekend only.',
        ],
        culture: [
          'The castle is closed on Tuesdays.',
          'Guided tours leave at ten and at four from the main square.',
          'The festival programme comes out next week.',
        ],
        food: [
          'Most kitchens open at half past eight in the evening.',
          'The market is open every morning but Sunday.',
          'Lunch menus cost between twelve and sixteen euros.',
        ],
        transport: [
          'The train from the capital takes two hours and a half.',
          'The tram runs until midnight, at the weekend until two.',
          'There is a park-and-ride at the northern exit.',
        ],
      },
      R: {
        beaches: [
          'The beach was full of rubbish and nobody emptied the bins.',
          'Loud jet skis all afternoon, no peace at all.',
          'The showers have been broken for weeks.',
        ],
        culture: [
          'The castle was shut without notice, after a two-hour drive.',
          'So crowded that we saw nothing but backs of heads.',
          'The festival sold more tickets than there was room.',
        ],
        food: [
          'Tourist menus everywhere, and all of them bad.',
          'We paid thirty euros for reheated rice.',
          'The waiter laughed when we asked for the local price.',
        ],
        transport: [
          'The bus never came, three days in a row.',
          'Parking is hopeless, and the fines are not.',
          'The tram smelled and stood still for half an hour.',
        ],
      },
    },
  },
  comments: {
    B: [
      'So true, we loved it too!',
      'This looks wonderful 😍',
      'Best holiday we ever had.',
      'Can only agree, thank you for sharing!',
      'Already booked for June, can’t wait.',
      'The people there are the kindest.',
      'Same here, great memories ❤️',
      'You have made my day with this.',
    ],
    N: [
      'Is it open in November?',
      'How much was it per night?',
      'Which month was this?',
      'Do they allow dogs?',
      'Is there a bus from the airport?',
      'We are going next week, any tips?',
      'Where exactly was this taken?',
      'Asking for a friend: is there parking?',
    ],
    R: [
      'Our experience was the complete opposite, sadly.',
      'Nice photo, shame about the service.',
      'Never again, sorry.',
      'And still no answer to my complaint.',
      'It was filthy when we were there.',
      'Far too expensive for what you get.',
      'Please fix the booking page first, it lost my deposit.',
      'Three weeks and I am still waiting for my refund.',
    ],
  },
  answers: {
    B: [
      'Thank you, this makes the whole team happy!',
      'Many thanks for your visit, we hope to see you again.',
      'What a lovely message. See you next time!',
    ],
    N: [
      'Hello! You will find all times and prices on our page.',
      'Good question: please send us a private message with your dates.',
      'Hello, yes, all year round.',
    ],
    R: [
      'We are sorry to read this. Please send us a private message with your dates.',
      'This is not what we want you to find. We have passed it on to the team.',
      'Our apologies. We will look into it today and come back to you.',
    ],
  },
  posts: {
    hotel: [
      'Good morning from {name}! Breakfast on the terrace starts today.',
      'From next month, bikes are free for guests of {name}.',
      'Win two nights at {name}: tell us about your favourite journey.',
      'Meet the people behind {name}: today Inés, who has baked our bread for eleven years.',
      '{name} now has a reading room with a view. Come in!',
    ],
    city: [
      'Saturday is lantern night in {name}. The programme is online.',
      'The sea front of {name} is open again, with more trees and more benches.',
      'What is your favourite corner of {name}? Show us your pictures.',
      'Free guided walks through {name} every Sunday in spring.',
      'Swim, stroll, stay: a long weekend in {name}.',
    ],
  },
  news: {
    hotel: {
      B: [
        [
          '{name} wins regional award for sustainable tourism',
          'The jury praised the group for saving half of its water within three years.',
        ],
        [
          'Guests give {name} top marks',
          'In a survey of two thousand travellers the houses came first for service.',
        ],
      ],
      N: [
        [
          '{name} to reopen its harbour house in April',
          'The building has been closed since autumn for works on the roof.',
        ],
        [
          '{name} names new head of operations',
          'The change takes effect at the end of the month, the company said.',
        ],
      ],
      R: [
        [
          'Guests of {name} left without heating for days',
          'Families complain that refunds were refused although the rooms stayed cold.',
        ],
        [
          '{name} fined over missing fire doors',
          'Inspectors found serious faults in two of the houses.',
        ],
      ],
    },
    city: {
      B: [
        [
          '{name} named best small destination by the sea',
          'Clean beaches and the new tram convinced the readers of the travel pages.',
        ],
        [
          'Record summer for {name}',
          'Hotels and restaurants are delighted: visitors stay longer and come back.',
        ],
      ],
      N: [
        [
          '{name} publishes programme of the lantern festival',
          'Sixty events are planned between Thursday and Sunday.',
        ],
        [
          'Council of {name} debates visitor tax',
          'A decision is expected before the end of the season.',
        ],
      ],
      R: [
        [
          'Anger in {name} over overflowing bins',
          'Residents accuse the council of ignoring the problem for months.',
        ],
        [
          'Tram chaos in {name} after repeated failures',
          'Thousands were stranded, and nobody could say when it would end.',
        ],
      ],
    },
  },
  abouts: [
    'Walks, trains and too much coffee.',
    'Mother of two, always looking for the sea.',
    'I write about small hotels and slow travel.',
    'Photographer. Light, mostly.',
    'Opinions are my own.',
    'Weekend cyclist, weekday nurse.',
  ],
};
