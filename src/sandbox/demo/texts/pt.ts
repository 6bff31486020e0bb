import type { Voice } from './voice.js';

/** Portuguese. */
export const PORTUGUESE: Voice = {
  openings: {
    B: [
      'Acabámos de voltar de {name} e já temos saudades.',
      '{name} ainda é melhor do que nas fotos.',
      'Nota dez para {name}!',
      'Quem ainda tem dúvidas sobre {name}: vá.',
    ],
    N: [
      'Fim de semana em {name}.',
      'Umas notas sobre {name}, para quem perguntou.',
      'Primeira vez em {name}.',
      'Alguém esteve em {name} há pouco tempo?',
    ],
    R: [
      'Muito desiludidos com {name}.',
      '{name} já foi muito melhor.',
      'Nunca mais {name}.',
      'Não percebo as boas notas de {name}.',
    ],
  },
  details: {
    hotel: {
      B: {
        rooms: ['O quarto estava impecável e muito sossegado.', 'Da varanda vê-se o mar.'],
        staff: ['O pessoal ajuda antes de pedirmos.'],
        food: ['Só o pequeno-almoço já vale a viagem.'],
        location: ['A cinco minutos de tudo e mesmo assim calmo.'],
      },
      N: {
        rooms: ['Os quartos são pequenos, mas têm tudo.'],
        staff: ['A entrada é a partir das três.'],
        food: ['O pequeno-almoço é das sete às dez e meia.'],
        location: ['Da estação são quinze minutos a pé.'],
      },
      R: {
        rooms: ['O ar condicionado fez barulho a noite toda.'],
        staff: ['Ninguém encontrou a nossa reserva e ninguém pediu desculpa.'],
        food: ['O pequeno-almoço estava frio e às nove já não havia nada.'],
        location: ['A "vista de mar" é um parque de estacionamento.'],
      },
    },
    city: {
      B: {
        beaches: ['A praia é limpa, larga e de manhã está quase vazia.'],
        culture: ['A noite das lanternas no bairro antigo foi mágica.'],
        food: ['Há anos que não comíamos peixe tão bom.'],
        transport: ['Com o novo elétrico chega-se a todo o lado em minutos.'],
      },
      N: {
        beaches: ['A praia norte é de pedra, a sul é de areia.'],
        culture: ['O castelo fecha à terça-feira.'],
        food: ['Quase todas as cozinhas abrem às oito e meia.'],
        transport: ['O comboio da capital demora duas horas e meia.'],
      },
      R: {
        beaches: ['A praia estava cheia de lixo e ninguém esvazia os caixotes.'],
        culture: ['O castelo estava fechado sem aviso nenhum.'],
        food: ['Trinta euros por um arroz requentado.'],
        transport: ['O autocarro não passou, três dias seguidos.'],
      },
    },
  },
  comments: {
    B: ['É mesmo, nós também adorámos!', 'Que maravilha 😍', 'Vamos em junho, que bom!'],
    N: ['Está aberto em novembro?', 'Quanto custa a noite?', 'Aceitam cães?'],
    R: [
      'Connosco foi exatamente o contrário, infelizmente.',
      'Caro demais para o que oferecem.',
      'Espero o reembolso há três semanas.',
    ],
  },
  answers: {
    B: ['Muito obrigado, a equipa fica contente!', 'Obrigado pela visita, até à próxima!'],
    N: [
      'Olá! Os horários e os preços estão na nossa página.',
      'Boa pergunta: pode escrever-nos em privado com as suas datas?',
    ],
    R: [
      'Lamentamos muito. Pode escrever-nos em privado com as suas datas?',
      'As nossas desculpas, vamos ver isto ainda hoje.',
    ],
  },
  posts: {
    hotel: ['Bom dia de {name}! A partir de hoje há pequeno-almoço na esplanada.'],
    city: ['Sábado é a noite das lanternas em {name}. O programa está na página.'],
  },
  news: {
    hotel: {
      B: [['Clientes dão nota máxima a {name}', 'Um inquérito põe o grupo à frente no serviço.']],
      N: [['{name} reabre hotel do porto em abril', 'O telhado está em obras desde o outono.']],
      R: [
        [
          'Clientes de {name} dias sem aquecimento',
          'Famílias queixam-se de não serem reembolsadas.',
        ],
      ],
    },
    city: {
      B: [
        ['{name} é o melhor pequeno destino de mar', 'As praias limpas convenceram os leitores.'],
      ],
      N: [['{name} apresenta a noite das lanternas', 'Estão previstas sessenta iniciativas.']],
      R: [['Revolta em {name} com o lixo nas ruas', 'Moradores acusam a câmara de nada fazer.']],
    },
  },
  abouts: ['Caminhar, comboios e café a mais.', 'Sempre à procura do mar.'],
};
