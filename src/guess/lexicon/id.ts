import type { Lexicon } from './concepts.js';

/** Indonesian and Malay. */
export const ID: Lexicon = {
  review: 'ulasan ulasannya tinjauan',
  text: 'isi komentar teks pesan',
  title: 'judul',
  positive: 'kelebihan',
  negative: 'kekurangan',
  rating: 'nilai peringkat bintang skor penilaian',
  language: 'bahasa',
  url: 'tautan alamat',
  image: 'gambar foto',
  likes: 'suka membantu berguna',
  date: 'tanggal waktu tarikh',
  written: 'dibuat diterbitkan ditulis ulasan',
  experience: 'menginap kunjungan pembelian',
  author: 'pengguna penulis pelanggan tamu pembeli',
  name: 'nama',
  id: 'nomor kode',
  place: 'produk hotel toko restoran',
  country: 'negara',
  region: 'provinsi',
  city: 'kota bandar',
  reply: 'balasan tanggapan',
  count: 'jumlah',
};
