import type { Lexicon } from './concepts.js';

export const PT: Lexicon = {
  review:
    'avaliacao avaliacoes opiniao opinioes resenha resenhas critica criticas comentario depoimento',
  text: 'texto comentario comentarios conteudo mensagem corpo observacao observacoes relato',
  title: 'titulo assunto resumo',
  positive: 'positivo positivos vantagens gostou pros melhor bom elogio',
  negative: 'negativo negativos desvantagens contras pior ruim melhorar reclamacao',
  rating:
    'nota notas estrelas pontuacao classificacao avaliacao pontos satisfacao satisfeito satisfeita avalia',
  best: 'maximo escala',
  recommend:
    'recomenda recomendaria recomendacao recomendado recomendar provavel recomendarias recomende probabilidade',
  aspect: 'limpeza conforto atendimento comida localizacao qualidade preco quarto servico entrega',
  sentiment: 'sentimento polaridade',
  language: 'idioma lingua linguagem',
  tag: 'categoria categorias etiqueta tema temas tipo assunto',
  url: 'url link endereco pagina ligacao',
  image: 'imagem foto fotos imagens',
  likes: 'curtidas uteis util gostos votos',
  date: 'data hora dia mes ano quando datahora carimbo',
  written: 'publicacao publicado escrito criado criacao enviado postagem',
  updated: 'atualizado modificado atualizacao editado',
  experience: 'estadia viagem visita compra pedido estada',
  scraped: 'extracao coleta coletado captura',
  author:
    'autor usuario utilizador cliente hospede avaliador comprador viajante passageiro paciente aluno participante',
  name: 'nome apelido sobrenome',
  id: 'id identificador codigo numero chave',
  place:
    'hotel restaurante produto lugar empresa loja negocio estabelecimento local marca filme livro aplicativo',
  country: 'pais nacionalidade',
  region: 'regiao estado provincia uf',
  city: 'cidade municipio',
  location: 'localizacao origem',
  email: 'telefone',
  reply: 'resposta respostas',
  count: 'numero quantidade total qtd',
  average: 'media',
  row: 'linha indice',
  processed: 'traduzido traducao limpo',
  flag: 'verificado verificada',
};
